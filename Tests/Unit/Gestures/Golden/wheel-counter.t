# The jog wheel's counter is repeated by every report, and the kernel leaves out its value 0. The ring turns nothing.
device shuttle
rel 7 253
10ms
rel 7 254
10ms
rel 7 255
10ms
rel 7 255 + press 260
80ms
rel 7 255 + release 260
10ms
rel 7 1
10ms
rel 7 255
10ms
rel 8 1 + rel 11 120 + rel 7 255
10ms
rel 8 7 + rel 11 840 + rel 7 255
10ms
rel 8 -7 + rel 11 -840 + rel 7 254

10ms dial-right
20ms dial-right
30ms press 260
120ms dial-right
120ms dial-right
130ms dial-left
130ms dial-left
160ms dial-left
