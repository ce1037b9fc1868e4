device pedal
bind press
0ms click 48
130ms press 48
1130ms repeat 48
1130ms release 48

0ms press 48
130ms press 48
