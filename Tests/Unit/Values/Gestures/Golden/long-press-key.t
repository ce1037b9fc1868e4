# Where a long press is bound a press waits until it is let go.
device pedal
bind press
bind long-press KEY
0ms click 48
180ms press 48
980ms release 48

80ms press 48 (0ms)
680ms long-press 48
