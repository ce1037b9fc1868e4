# After a gesture that is bound nothing that begins too soon is one; what is bound to nothing does not count for that.
device screen
set refractory 0.3
bind tap
bind swipe-down
tap 0.5 0.5
100ms
tap 0.5 0.5
250ms
down 0 0.5 0.2
100ms
move 0 0.5 0.6
10ms
up 0
200ms
tap 0.5 0.5
400ms
down 0 0.2 0.5
100ms
move 0 0.6 0.5
10ms
up 0
100ms
tap 0.5 0.5

80ms tap
620ms swipe-down
1410ms swipe-right
1590ms tap
