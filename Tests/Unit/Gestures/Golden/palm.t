# A palm is nothing, whether the kernel says so or its size does, and a finger beside it counts.
device screen
down 0 0.5 0.5 + tool 0 2
30ms
down 1 0.2 0.2
60ms
up 1
30ms
up 0 + tool 0 0
100ms
down 0 0.5 0.5 + size 0 250
90ms
size 0 100
20ms
up 0
100ms
down 0 0.5 0.5 + size 0 100
20ms
size 0 249
40ms
up 0

90ms tap
490ms tap
