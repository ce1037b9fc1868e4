device pedal
bind double-press eager
bind long-press KEY eager
0ms click 48
180ms click 48
560ms click 48
740ms press 48
1340ms release 48

0ms press 48
180ms press 48
260ms double-press 48 (180ms) takes back press 48, press 48
560ms press 48
740ms press 48
1240ms long-press 48 takes back press 48
