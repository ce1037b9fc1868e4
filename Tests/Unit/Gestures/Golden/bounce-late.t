# A switch that opens for good while it may bounce is open, and since then.
device pedal
bind release
press 48
5ms
release 48
2ms
press 48
1ms
release 48
100ms

0ms press 48
12ms release 48 (8ms)
