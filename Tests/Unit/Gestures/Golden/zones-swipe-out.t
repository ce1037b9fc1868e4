# A stroke belongs to the zone in which it began.
device screen
bind tap left
bind tap right
down 0 0.4 0.5
20ms
move 0 0.6 0.5
20ms
move 0 0.8 0.5
20ms
up 0

60ms swipe-right left
