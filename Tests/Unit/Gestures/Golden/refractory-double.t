# The second tap of two is not refused for the first one's sake.
device screen
set refractory 0.5
bind tap
bind double-tap eager
tap 0.5 0.5
100ms
tap 0.5 0.5
100ms
tap 0.5 0.5

80ms tap
260ms double-tap takes back tap
