# Where no long press is bound a slow tap is a tap, and what rests first can still become a swipe.
0ms down 0 0.5 0.5
700ms up 0
800ms down 0 0.5 0.3
1500ms move 0 0.5 0.6
1520ms move 0 0.5 0.8
1540ms up 0

700ms tap
1540ms swipe-down
