# Two hands drum on two halves at once; neither knows of the other.
device screen
bind tap left
bind tap right
down 0 0.2 0.5
30ms
down 1 0.8 0.5
30ms
up 0
50ms
down 0 0.2 0.5
10ms
up 1
50ms
down 1 0.8 0.5
20ms
up 0
60ms
up 1

60ms tap left
120ms tap right
190ms tap left
250ms tap right
