# Where a larger chord may still come the smaller one waits for it.
device pedal
bind chord KEY 30 48
bind chord KEY 30 48 46
0ms press 30
10ms press 48
20ms press 46
120ms release 30 + release 48 + release 46
220ms press 30
230ms press 48
430ms release 30 + release 48

20ms chord 30+48+46
270ms chord 30+48 (230ms)
