# Where nobody wants one nothing is due; it is judged when the finger lifts, and can still become a swipe.
device screen
down 0 0.5 0.5
700ms
up 0
100ms
down 0 0.5 0.3
700ms
move 0 0.5 0.6
20ms
move 0 0.5 0.8
20ms
up 0

700ms long-press
1540ms swipe-down
