# The landing itself counts at the very instant, once for each finger, beside what the touch turns out to be.
bind touch
0ms down 0 0.5 0.5
10ms down 1 0.7 0.5
60ms up 1
70ms up 0
170ms down 0 0.5 0.5
2170ms

0ms touch
10ms touch
60ms tap
70ms tap
170ms touch
