# Two taps where only one and three mean something are two taps.
bind triple-tap
0ms tap 0.5 0.5
180ms tap 0.5 0.5
1260ms

660ms tap (80ms)
660ms tap (260ms)
