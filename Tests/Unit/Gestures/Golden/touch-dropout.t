# A panel that loses a resting finger every 30 ms: one touch, one tap.
device screen
down 0 0.5 0.5
60ms
up 0
30ms
down 0 0.507 0.5
60ms
up 0
48ms
down 0 0.5 0.5
60ms
up 0
49ms
tap 0.5 0.5

60ms tap
387ms tap
