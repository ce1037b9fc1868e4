bind triple-tap eager
0ms tap 0.5 0.5
180ms tap 0.5 0.5
360ms tap 0.5 0.5
1440ms

80ms tap
260ms tap
440ms triple-tap takes back tap, tap
