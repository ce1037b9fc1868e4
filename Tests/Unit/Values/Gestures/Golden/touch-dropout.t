# A panel that loses a resting finger every 30 ms: one touch, one tap.
0ms down 0 0.5 0.5
60ms up 0
90ms down 0 0.507 0.5
150ms up 0
198ms down 0 0.5 0.5
258ms up 0
307ms tap 0.5 0.5

60ms tap
387ms tap
