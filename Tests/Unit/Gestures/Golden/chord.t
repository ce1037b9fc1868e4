# Two keys down within 50 ms are a chord and no presses.
device pedal
bind press
bind release
bind chord KEY 30 48
press 30
20ms
press 48
100ms
release 30
10ms
release 48
100ms
press 48 + press 30
100ms
release 48 + release 30

20ms chord 30+48
230ms chord 48+30
