device screen
bind triple-tap eager
tap 0.5 0.5
100ms
tap 0.5 0.5
100ms
tap 0.5 0.5
1000ms

80ms tap
260ms tap
440ms triple-tap takes back tap, tap
