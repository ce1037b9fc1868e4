# Two taps at different places are no double-tap; the first one does not wait for the second finger to lift.
device screen
wish double-tap
tap 0.2 0.2
100ms
tap 0.6 0.6
1000ms

180ms tap (80ms)
660ms tap (260ms)
