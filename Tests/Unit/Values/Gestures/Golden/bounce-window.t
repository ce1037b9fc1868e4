# The bounce time begins when the switch came to stand as it does, not when that was certain.
device pedal
0ms press 48
5ms release 48
18ms press 48

0ms press 48
18ms press 48
