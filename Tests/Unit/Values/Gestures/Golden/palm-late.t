# What turns out to be a palm was no finger before, and the finger beside it counts.
0ms down 0 0.5 0.5 + size 0 100
20ms down 1 0.8 0.5 + size 1 100
40ms size 1 400
60ms up 0
80ms up 1
180ms tap 0.5 0.5

60ms tap
260ms tap
