# Where no long press is bound a slow tap is a tap, and what rests first can still become a swipe.
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

700ms tap
1540ms swipe-down
