# A finger whose landing was not seen is nothing; a tap that waited for what it would do waits no longer.
bind double-tap
0ms tap 0.5 0.5
130ms drop down 0 0.5 0.5
190ms up 0
250ms tap 0.5 0.5
1330ms

130ms tap (80ms)
730ms tap (330ms)
