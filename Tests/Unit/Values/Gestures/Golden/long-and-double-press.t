# The second press waits until it is let go, for it could become a long one.
device pedal
bind double-press
bind long-press KEY
0ms click 48
180ms click 48
560ms click 48
740ms press 48
1340ms release 48
1840ms click 48
2420ms

260ms double-press 48 (180ms)
1240ms press 48 (560ms)
1240ms long-press 48
2320ms press 48 (1840ms)
