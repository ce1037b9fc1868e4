# A stroke belongs to the zone in which it began.
bind tap left
bind tap right
0ms down 0 0.4 0.5
20ms move 0 0.6 0.5
40ms move 0 0.8 0.5
60ms up 0

60ms swipe-right left
