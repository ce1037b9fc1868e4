device pedal
bind press
click 48
50ms
press 48
1000ms
repeat 48
release 48

0ms press 48
130ms press 48
