# A switch is a key: 1024 and its number.
device pedal
bind release
0ms switch 0 1
500ms switch 0 0

0ms press 1024
500ms release 1024
