# Two hands drum on two halves at once; neither knows of the other.
bind tap left
bind tap right
0ms down 0 0.2 0.5
30ms down 1 0.8 0.5
60ms up 0
110ms down 0 0.2 0.5
120ms up 1
170ms down 1 0.8 0.5
190ms up 0
250ms up 1

60ms tap left
120ms tap right
190ms tap left
250ms tap right
