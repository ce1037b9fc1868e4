device pedal
bind double-press KEY 30
bind chord KEY 30 48
0ms click 30
180ms click 30
1260ms

230ms double-press 30 (180ms)
