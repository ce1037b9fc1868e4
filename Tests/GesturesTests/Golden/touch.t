# The landing itself counts at the very instant, once for a touch, beside what the touch turns out to be.
device screen
wish touch
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
70ms 2 tap
170ms touch
