# A second finger that comes by at the end is no long press of two; each was a tap.
device screen
bind long-press 2
down 0 0.3 0.5
900ms
down 1 0.7 0.5
60ms
up 1
10ms
up 0
200ms
down 0 0.3 0.5
50ms
down 1 0.7 0.5
700ms
up 1
20ms
up 0

960ms tap
970ms tap
1720ms 2 long-press
