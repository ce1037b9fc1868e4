# Somebody drums beside another finger: that is no tap of two.
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
50ms
up 0
100ms
tap 0.5 0.5

380ms tap
