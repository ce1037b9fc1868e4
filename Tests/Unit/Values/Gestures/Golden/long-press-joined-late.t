# A second finger that comes by at the end is no long press of two; each was a tap.
bind long-press 2
0ms down 0 0.3 0.5
900ms down 1 0.7 0.5
960ms up 1
970ms up 0
1170ms down 0 0.3 0.5
1220ms down 1 0.7 0.5
1920ms up 1
1940ms up 0

960ms tap
970ms tap
1720ms 2 long-press
