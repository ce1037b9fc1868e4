# A finger taps beside another one, which rests: each tap counts at once, and the resting finger is no tap.
device screen
down 0 0.3 0.5
20ms
down 1 0.7 0.5
40ms
up 1
50ms
down 1 0.7 0.5
40ms
up 1
4310ms
up 0
100ms
tap 0.5 0.5

60ms tap
150ms tap
4640ms tap
