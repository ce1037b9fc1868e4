# One of two fingers does not hold on: no long press of two comes about, and each was a tap.
bind long-press 2
0ms down 0 0.3 0.5 + down 1 0.7 0.5
300ms up 1
900ms up 0

348ms tap (300ms)
900ms tap
