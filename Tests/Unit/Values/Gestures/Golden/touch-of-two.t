# A landing of two is bound, a tap of two is not: each finger tapped.
bind touch 2
0ms down 0 0.5 0.5
10ms down 1 0.7 0.5
60ms up 1
70ms up 0

10ms 2 touch
60ms tap
70ms tap
