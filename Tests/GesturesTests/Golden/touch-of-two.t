device screen
wish touch 2
down 0 0.5 0.5
10ms
down 1 0.7 0.5
50ms
up 1
10ms
up 0

10ms 2 touch
70ms 2 tap
