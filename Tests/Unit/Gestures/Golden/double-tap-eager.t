# The first tap counts at once and is taken back by the double-tap.
device screen
bind tap
bind double-tap eager
tap 0.5 0.5
100ms
tap 0.5 0.5
100ms
tap 0.5 0.5
1000ms

80ms tap
260ms double-tap takes back tap
440ms tap
