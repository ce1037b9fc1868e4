device pedal
bind press
bind double-press
0ms click 48
180ms click 48
1260ms click 48
2340ms

180ms double-press 48
1740ms press 48 (1260ms)
