# The directions of a cross: 1280 up, 1281 down, 1282 left, 1283 right.
device gamepad
0ms abs 16 -1
100ms abs 16 1
200ms abs 16 0
300ms abs 17 1
400ms abs 17 0 + abs 16 1

0ms press 1282
100ms press 1283
300ms press 1281
400ms press 1283
