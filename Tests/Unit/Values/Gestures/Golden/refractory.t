# After a gesture that is bound nothing that begins too soon is one; what is bound to nothing does not count for that.
set refractory 0.3
bind tap
bind swipe-down
0ms tap 0.5 0.5
180ms tap 0.5 0.5
510ms down 0 0.5 0.2
560ms move 0 0.5 0.4
610ms move 0 0.5 0.6
620ms up 0
820ms tap 0.5 0.5
1300ms down 0 0.2 0.5
1350ms move 0 0.4 0.5
1400ms move 0 0.6 0.5
1410ms up 0
1510ms tap 0.5 0.5

80ms tap
620ms swipe-down
1410ms swipe-right
1590ms tap
