device mouse
0ms drop rel 8 5
0ms rel 8 0
0ms rel 11 0

