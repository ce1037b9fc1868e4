device mouse
0ms rel 8 1
10ms rel 8 -2
20ms rel 6 1
30ms rel 7 -1

0ms wheel-up
10ms wheel-down
10ms wheel-down
20ms wheel-right
30ms dial-left
