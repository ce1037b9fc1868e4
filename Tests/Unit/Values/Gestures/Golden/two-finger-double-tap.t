# A double-tap of two fingers makes no tap of one finger wait, and one of each is neither.
bind double-tap 2
0ms tap 0.5 0.5
180ms down 0 0.3 0.5
200ms down 1 0.6 0.5
260ms up 0
270ms up 1
370ms down 0 0.3 0.5
380ms down 1 0.6 0.5
440ms up 1
450ms up 0
650ms down 0 0.3 0.5 + down 1 0.6 0.5
710ms up 0 + up 1
810ms tap 0.3 0.5
1890ms

80ms tap
450ms 2 double-tap
890ms 2 tap (710ms)
890ms tap
