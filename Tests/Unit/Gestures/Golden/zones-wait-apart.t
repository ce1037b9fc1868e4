# A double-tap bound on the left makes no tap on the right wait.
device screen
bind tap right
bind tap left
bind double-tap left
tap 0.8 0.5
100ms
tap 0.2 0.5
100ms
tap 0.8 0.5
1000ms

80ms tap right
440ms tap right
660ms tap left (260ms)
