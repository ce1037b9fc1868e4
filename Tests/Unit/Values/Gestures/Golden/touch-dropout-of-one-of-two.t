# A finger that the panel loses beside another one counts once.
0ms down 0 0.3 0.5
10ms down 1 0.6 0.5
40ms up 1
60ms down 1 0.6 0.5
90ms up 1
110ms up 0

40ms tap
110ms tap
