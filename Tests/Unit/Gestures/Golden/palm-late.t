# What turns out to be a palm was no finger before, and the finger beside it counts.
device screen
down 0 0.5 0.5 + size 0 100
20ms
down 1 0.8 0.5 + size 1 100
20ms
size 1 400
20ms
up 0
20ms
up 1
100ms
tap 0.5 0.5

60ms tap
260ms tap
