# A panel that loses a resting finger every 30 ms: one touch, one tap.
device screen
down 0 0.5 0.5
60ms
up 0
30ms
down 0 0.51 0.5
60ms
up 0
40ms
down 0 0.5 0.5
60ms
up 0
41ms
tap 0.5 0.5

60ms tap
371ms tap
