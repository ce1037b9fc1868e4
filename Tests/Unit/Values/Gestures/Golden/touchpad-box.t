# The corners of a box jump when a finger comes or goes; nobody swiped.
device touchpad
0ms down 0 0.5 0.5
20ms move 0 0.2 0.2 + down 1 0.5 0.5
80ms move 0 0.5 0.5 + up 1
100ms up 0
200ms down 0 0.5 0.5
220ms move 0 0.2 0.2 + down 1 0.5 0.5
260ms move 0 0.2 0.4 + move 1 0.5 0.7
300ms up 1
320ms up 0

100ms 2 tap
320ms 2 swipe-down
