# Somewhere else it is another finger, however soon it lands.
0ms down 0 0.2 0.5
60ms up 0
65ms down 0 0.6 0.5
125ms up 0

60ms tap
125ms tap
