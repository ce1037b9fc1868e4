device pedal
bind press
bind double-press
click 48
100ms
click 48
1000ms
click 48
1000ms

180ms double-press 48
1740ms press 48 (1260ms)
