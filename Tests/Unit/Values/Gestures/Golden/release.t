device pedal
bind press
bind release
0ms press 48
200ms release 48

0ms press 48
200ms release 48
