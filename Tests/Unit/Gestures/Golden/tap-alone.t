# Where only a tap is bound nothing waits: it counts on release.
device screen
bind tap
tap 0.5 0.5
120ms
tap 0.5 0.5
1000ms

80ms tap
280ms tap
