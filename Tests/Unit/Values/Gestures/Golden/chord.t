# Two keys down within 50 ms are a chord and no presses.
device pedal
bind press
bind release
bind chord KEY 30 48
0ms press 30
20ms press 48
120ms release 30
130ms release 48
230ms press 48 + press 30
330ms release 48 + release 30

20ms chord 30+48
230ms chord 48+30
