device screen
down 0 0.5 0.5
60ms
up 0
30ms
down 0 0.5 0.507
30ms
move 0 0.5 0.6
30ms
move 0 0.5 0.8
30ms
up 0

60ms tap
180ms swipe-down takes back tap
