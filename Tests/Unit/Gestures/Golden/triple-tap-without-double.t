# Two taps where only one and three mean something are two taps.
device screen
bind triple-tap
tap 0.5 0.5
100ms
tap 0.5 0.5
1000ms

660ms tap (80ms)
660ms tap (260ms)
