# A finger whose landing was not seen is nothing; a tap that waited for what it would do waits no longer.
device screen
bind double-tap
tap 0.5 0.5
50ms
drop down 0 0.5 0.5
60ms
up 0
60ms
tap 0.5 0.5
1000ms

130ms tap (80ms)
730ms tap (330ms)
