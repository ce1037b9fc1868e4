# Where only a tap is bound nothing waits: it counts on release.
bind tap
0ms tap 0.5 0.5
200ms tap 0.5 0.5
1280ms

80ms tap
280ms tap
