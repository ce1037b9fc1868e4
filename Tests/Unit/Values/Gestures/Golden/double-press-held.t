# A key that is held is not the first of two; its press is given when that is certain.
device pedal
bind double-press
0ms press 48
700ms release 48
800ms click 48
1880ms

500ms press 48 (0ms)
1280ms press 48 (800ms)
