set touch-dropout 0
0ms down 0 0.5 0.5
60ms up 0
60ms down 0 0.5 0.5
120ms up 0

60ms tap
120ms tap
