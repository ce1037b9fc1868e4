# Any key: each is a spot of its own.
device pedal
bind double-press
0ms click 48
130ms click 30
260ms click 48
1340ms

260ms double-press 48
610ms press 30 (130ms)
