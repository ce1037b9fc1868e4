# Alone, too late, or let go before: presses. Keys of no chord never wait.
device pedal
bind press
bind release
bind chord KEY 30 48
0ms press 30
100ms release 30
200ms press 30
220ms release 30
320ms press 30
370ms press 48
470ms release 30
480ms release 48
580ms press 46

50ms press 30 (0ms)
100ms release 30
220ms press 30 (200ms)
220ms release 30
370ms press 30 (320ms)
420ms press 48 (370ms)
470ms release 30
480ms release 48
580ms press 46
