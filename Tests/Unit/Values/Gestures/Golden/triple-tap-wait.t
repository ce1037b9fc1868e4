bind double-tap
bind triple-tap
0ms tap 0.5 0.5
180ms tap 0.5 0.5
360ms tap 0.5 0.5
540ms tap 0.5 0.5
720ms tap 0.5 0.5
1800ms

440ms triple-tap
1200ms double-tap (800ms)
