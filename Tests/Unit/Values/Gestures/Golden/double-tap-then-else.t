# What follows is a swipe, or a slow tap: the tap before it was a single one.
bind double-tap
0ms tap 0.5 0.5
180ms down 0 0.5 0.5
230ms move 0 0.5 0.65
280ms move 0 0.5 0.8
330ms up 0
1330ms tap 0.5 0.5
1510ms down 0 0.5 0.5
2410ms up 0

330ms tap (80ms)
330ms swipe-down
2010ms tap (1410ms)
2410ms tap
