# The second press waits until it is let go, for it could become a long one.
device pedal
bind double-press
bind long-press KEY
click 48
100ms
click 48
300ms
click 48
100ms
press 48
600ms
release 48
500ms
click 48
500ms

260ms double-press 48 (180ms)
1240ms press 48 (560ms)
1240ms long-press 48
2320ms press 48 (1840ms)
