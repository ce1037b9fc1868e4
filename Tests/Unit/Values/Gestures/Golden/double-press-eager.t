device pedal
bind press
bind double-press eager
0ms click 48
180ms click 48
360ms click 48
1440ms

0ms press 48
180ms double-press 48 takes back press 48
360ms press 48
