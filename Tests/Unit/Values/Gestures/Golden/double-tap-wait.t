# The first tap waits; the second one makes it a double-tap at once.
bind tap
bind double-tap wait
0ms tap 0.5 0.5
180ms tap 0.5 0.5
1260ms tap 0.5 0.5
2340ms

260ms double-tap
1740ms tap (1340ms)
