# Somewhere else it is another finger, however soon it lands.
device screen
down 0 0.2 0.5
60ms
up 0
5ms
down 0 0.6 0.5
60ms
up 0

60ms tap
125ms tap
