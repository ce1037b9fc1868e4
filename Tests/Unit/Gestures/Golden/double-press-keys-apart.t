# Any key: each is a spot of its own.
device pedal
bind double-press
click 48
50ms
click 30
50ms
click 48
1000ms

260ms double-press 48
610ms press 30 (130ms)
