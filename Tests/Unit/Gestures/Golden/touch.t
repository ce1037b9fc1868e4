# The landing itself counts at the very instant, once for each finger, beside what the touch turns out to be.
device screen
bind touch
down 0 0.5 0.5
10ms
down 1 0.7 0.5
50ms
up 1
10ms
up 0
100ms
down 0 0.5 0.5
2000ms

0ms touch
10ms touch
60ms tap
70ms tap
170ms touch
