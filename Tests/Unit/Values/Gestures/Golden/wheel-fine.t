# Parts of a detent add up; the whole ones beside them are not counted again; a turn back begins anew.
device mouse
0ms rel 11 60
10ms rel 11 60 + rel 8 1
20ms rel 11 120 + rel 8 1
30ms rel 11 90
40ms rel 11 -60
50ms rel 11 -60 + rel 8 -1
60ms rel 12 240 + rel 6 2

10ms wheel-up
20ms wheel-up
50ms wheel-down
60ms wheel-right
60ms wheel-right
