device pedal
bind press
bind long-press KEY eager
0ms click 48
180ms press 48
980ms release 48

0ms press 48
180ms press 48
680ms long-press 48 takes back press 48
