# A finger that the panel loses beside another one counts once.
device screen
down 0 0.3 0.5
10ms
down 1 0.6 0.5
30ms
up 1
20ms
down 1 0.6 0.5
30ms
up 1
20ms
up 0

40ms tap
110ms tap
