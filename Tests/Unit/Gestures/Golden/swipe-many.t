# One swipe of three fingers that land and lift staggered; fingers that part are none; one that rests is no part of it.
device screen
down 0 0.2 0.2
10ms
down 1 0.4 0.2
10ms
down 2 0.6 0.2
50ms
move 0 0.2 0.4 + move 1 0.4 0.4 + move 2 0.6 0.4
50ms
move 0 0.2 0.6 + move 1 0.4 0.6 + move 2 0.6 0.55
20ms
up 2
20ms
up 0
20ms
up 1
100ms
down 0 0.4 0.5 + down 1 0.6 0.5
50ms
move 0 0.2 0.5 + move 1 0.8 0.5
50ms
up 0 + up 1
100ms
down 0 0.2 0.2 + down 1 0.8 0.8
50ms
move 1 0.8 0.2
50ms
up 1
10ms
up 0

180ms 3 swipe-down
580ms swipe-up
590ms tap
