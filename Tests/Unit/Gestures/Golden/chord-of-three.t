# Where a larger chord may still come the smaller one waits for it.
device pedal
bind chord KEY 30 48
bind chord KEY 30 48 46
press 30
10ms
press 48
10ms
press 46
100ms
release 30 + release 48 + release 46
100ms
press 30
10ms
press 48
200ms
release 30 + release 48

20ms chord 30+48+46
270ms chord 30+48 (230ms)
