# Edges within 12 ms of one that counted are the switch's; it is measured from that one, so fast presses pass.
device pedal
press 48
3ms
release 48
2ms
press 48
4ms
release 48
1ms
press 48
40ms
release 48
2ms
press 48
3ms
release 48
40ms
press 48
5ms
release 48
45ms
press 48
25ms
release 48
25ms
press 48
25ms
release 48

0ms press 48
95ms press 48
145ms press 48
195ms press 48
