device screen
set touch-dropout 0
down 0 0.5 0.5
60ms
up 0
down 0 0.5 0.5
60ms
up 0

60ms tap
120ms tap
