# A tap that waits whether it is a double-tap is given when the finger stays too long for one; it is a tap all the same.
bind tap
bind double-tap
0ms down 0 0.5 0.5
60ms up 0
90ms down 0 0.5 0.5
470ms move 0 0.5 0.51
670ms up 0
1670ms

500ms tap (60ms)
