device pedal
bind double-press KEY 30
bind chord KEY 30 48
click 30
100ms
click 30
1000ms

230ms double-press 30 (180ms)
