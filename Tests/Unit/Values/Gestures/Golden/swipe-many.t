# One swipe of three fingers that land and lift staggered; fingers that part are none; one that rests is no part of it.
0ms down 0 0.2 0.2
10ms down 1 0.4 0.2
20ms down 2 0.6 0.2
70ms move 0 0.2 0.4 + move 1 0.4 0.4 + move 2 0.6 0.4
120ms move 0 0.2 0.6 + move 1 0.4 0.6 + move 2 0.6 0.55
140ms up 2
160ms up 0
180ms up 1
280ms down 0 0.4 0.5 + down 1 0.6 0.5
330ms move 0 0.2 0.5 + move 1 0.8 0.5
380ms up 0 + up 1
480ms down 0 0.2 0.2 + down 1 0.8 0.8
530ms move 1 0.8 0.2
580ms up 1
590ms up 0

180ms 3 swipe-down
580ms swipe-up
590ms tap
