# The second tap of two is not refused for the first one's sake.
set refractory 0.5
bind tap
bind double-tap eager
0ms tap 0.5 0.5
180ms tap 0.5 0.5
360ms tap 0.5 0.5

80ms tap
260ms double-tap takes back tap
