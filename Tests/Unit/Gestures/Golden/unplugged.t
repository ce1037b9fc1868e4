# What was done and only waited is given; what was being done is nothing; what was held is let go.
device screen
bind double-tap
tap 0.5 0.5
50ms
gone
down 0 0.5 0.5
50ms
gone
up 0
100ms
tap 0.5 0.5
1000ms

130ms tap (80ms)
760ms tap (360ms)
