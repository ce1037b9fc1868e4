# A tap that waits whether it is a double-tap is given when the finger stays too long for one; it is a tap all the same.
device screen
bind tap
bind double-tap
down 0 0.5 0.5
60ms
up 0
30ms
down 0 0.5 0.5
380ms
move 0 0.5 0.51
200ms
up 0
1000ms

500ms tap (60ms)
