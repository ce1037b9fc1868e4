# Where a long press is bound a press waits until it is let go.
device pedal
bind press
bind long-press KEY
click 48
100ms
press 48
800ms
release 48

80ms press 48 (0ms)
680ms long-press 48
