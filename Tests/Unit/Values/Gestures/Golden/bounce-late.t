# A switch that opens for good while it may bounce is open, and since then.
device pedal
bind release
0ms press 48
5ms release 48
7ms press 48
8ms release 48
108ms

0ms press 48
12ms release 48 (8ms)
