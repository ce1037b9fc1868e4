# Several names of one button: a presenter's play button sends F5 and Esc by turns.
device pedal
bind double-press KEY 63 1
click 63
100ms
click 1
1000ms

180ms double-press 1
