# A second finger that comes by at the end is no long press of two.
device screen
down 0 0.3 0.5
900ms
down 1 0.7 0.5
60ms
up 1
10ms
up 0
200ms
down 0 0.3 0.5
50ms
down 1 0.7 0.5
700ms
up 1
20ms
up 0

1940ms 2 long-press
