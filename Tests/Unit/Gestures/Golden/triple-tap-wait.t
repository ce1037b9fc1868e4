device screen
bind double-tap
bind triple-tap
tap 0.5 0.5
100ms
tap 0.5 0.5
100ms
tap 0.5 0.5
100ms
tap 0.5 0.5
100ms
tap 0.5 0.5
1000ms

440ms triple-tap
1200ms double-tap (800ms)
