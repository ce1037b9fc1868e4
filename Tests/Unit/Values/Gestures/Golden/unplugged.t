# What was done and only waited is given; what was being done is nothing; what was held is let go.
bind double-tap
0ms tap 0.5 0.5
130ms gone
130ms down 0 0.5 0.5
180ms gone
180ms up 0
280ms tap 0.5 0.5
1360ms

130ms tap (80ms)
760ms tap (360ms)
