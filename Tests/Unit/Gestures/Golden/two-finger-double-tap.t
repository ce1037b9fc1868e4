# A double-tap of two fingers makes no tap of one finger wait, and one of each is neither.
device screen
bind double-tap 2
tap 0.5 0.5
100ms
down 0 0.3 0.5
20ms
down 1 0.6 0.5
60ms
up 0
10ms
up 1
100ms
down 0 0.3 0.5
10ms
down 1 0.6 0.5
60ms
up 1
10ms
up 0
200ms
down 0 0.3 0.5 + down 1 0.6 0.5
60ms
up 0 + up 1
100ms
tap 0.3 0.5
1000ms

80ms tap
450ms 2 double-tap
890ms 2 tap (710ms)
890ms tap
