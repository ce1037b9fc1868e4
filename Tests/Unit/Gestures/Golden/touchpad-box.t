# The corners of a box jump when a finger comes or goes; nobody swiped.
device touchpad
down 0 0.5 0.5
20ms
move 0 0.2 0.2 + down 1 0.5 0.5
60ms
move 0 0.5 0.5 + up 1
20ms
up 0
100ms
down 0 0.5 0.5
20ms
move 0 0.2 0.2 + down 1 0.5 0.5
40ms
move 0 0.2 0.4 + move 1 0.5 0.7
40ms
up 1
20ms
up 0

100ms 2 tap
320ms 2 swipe-down
