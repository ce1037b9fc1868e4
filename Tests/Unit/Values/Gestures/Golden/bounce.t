# Edges within 12 ms of one that counted are the switch's; it is measured from that one, so fast presses pass.
device pedal
0ms press 48
3ms release 48
5ms press 48
9ms release 48
10ms press 48
50ms release 48
52ms press 48
55ms release 48
95ms press 48
100ms release 48
145ms press 48
170ms release 48
195ms press 48
220ms release 48

0ms press 48
95ms press 48
145ms press 48
195ms press 48
