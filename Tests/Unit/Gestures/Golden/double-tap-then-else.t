# What follows is a swipe, or a slow tap: the tap before it was a single one.
device screen
bind double-tap
tap 0.5 0.5
100ms
down 0 0.5 0.5
100ms
move 0 0.5 0.8
50ms
up 0
1000ms
tap 0.5 0.5
100ms
down 0 0.5 0.5
900ms
up 0

330ms tap (80ms)
330ms swipe-down
2010ms tap (1410ms)
2410ms tap
