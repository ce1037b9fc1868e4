# The jog wheel's counter is repeated by every report, and the kernel leaves out its value 0. The ring turns nothing.
device shuttle
0ms rel 7 253
10ms rel 7 254
20ms rel 7 255
30ms rel 7 255 + press 260
110ms rel 7 255 + release 260
120ms rel 7 1
130ms rel 7 255
140ms rel 8 1 + rel 11 120 + rel 7 255
150ms rel 8 7 + rel 11 840 + rel 7 255
160ms rel 8 -7 + rel 11 -840 + rel 7 254

10ms dial-right
20ms dial-right
30ms press 260
120ms dial-right
120ms dial-right
130ms dial-left
130ms dial-left
160ms dial-left
