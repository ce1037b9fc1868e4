# A double-tap bound on the left makes no tap on the right wait.
bind tap right
bind tap left
bind double-tap left
0ms tap 0.8 0.5
180ms tap 0.2 0.5
360ms tap 0.8 0.5
1440ms

80ms tap right
440ms tap right
660ms tap left (260ms)
