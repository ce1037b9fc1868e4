# A landing of two is bound, a tap of two is not: each finger tapped.
device screen
bind touch 2
down 0 0.5 0.5
10ms
down 1 0.7 0.5
50ms
up 1
10ms
up 0

10ms 2 touch
60ms tap
70ms tap
