# A finger taps beside another one, which rests: each tap counts at once, and the resting finger is no tap.
0ms down 0 0.3 0.5
20ms down 1 0.7 0.5
60ms up 1
110ms down 1 0.7 0.5
150ms up 1
4460ms up 0
4560ms tap 0.5 0.5

60ms tap
150ms tap
4640ms tap
