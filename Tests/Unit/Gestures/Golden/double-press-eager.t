device pedal
bind press
bind double-press eager
click 48
100ms
click 48
100ms
click 48
1000ms

0ms press 48
180ms double-press 48 takes back press 48
360ms press 48
