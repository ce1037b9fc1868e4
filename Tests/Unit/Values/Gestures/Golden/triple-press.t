device pedal
bind triple-press
bind double-press eager
0ms click 48
180ms click 48
360ms click 48
1040ms click 48
1220ms click 48
2300ms

0ms press 48
180ms double-press 48 takes back press 48
360ms triple-press 48 takes back double-press 48
1040ms press 48
1220ms double-press 48 takes back press 48
