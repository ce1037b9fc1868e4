# A tap that waits is not given before it turns out to be a long press.
device screen
wish tap
wish double-tap
down 0 0.5 0.5
60ms
up 0
30ms
down 0 0.5 0.5
380ms
move 0 0.5 0.51
200ms
up 0
1000ms

500ms tap (60ms)
670ms long-press takes back tap
