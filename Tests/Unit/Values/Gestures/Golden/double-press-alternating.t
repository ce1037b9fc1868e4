# Several names of one button: a presenter's play button sends F5 and Esc by turns.
device pedal
bind double-press KEY 63 1
0ms click 63
180ms click 1
1260ms

180ms double-press 1
