# The first tap waits; the second one makes it a double-tap at once.
device screen
bind tap
bind double-tap wait
tap 0.5 0.5
100ms
tap 0.5 0.5
1000ms
tap 0.5 0.5
1000ms

260ms double-tap
1740ms tap (1340ms)
