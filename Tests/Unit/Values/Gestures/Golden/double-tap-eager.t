# The first tap counts at once and is taken back by the double-tap.
bind tap
bind double-tap eager
0ms tap 0.5 0.5
180ms tap 0.5 0.5
360ms tap 0.5 0.5
1440ms

80ms tap
260ms double-tap takes back tap
440ms tap
