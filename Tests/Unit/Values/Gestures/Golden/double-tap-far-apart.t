# Two taps at different places are no double-tap, and each waits for its own second tap: two hands may tap in turn.
bind double-tap
0ms tap 0.2 0.2
180ms tap 0.6 0.6
1260ms

480ms tap (80ms)
660ms tap (260ms)
