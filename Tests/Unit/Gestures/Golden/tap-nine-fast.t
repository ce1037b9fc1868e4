# Nine taps at 4.5 a second and three at ten a second, nothing else bound.
device screen
tap 0.5 0.5
142ms
tap 0.5 0.5
142ms
tap 0.5 0.5
142ms
tap 0.5 0.5
142ms
tap 0.5 0.5
142ms
tap 0.5 0.5
142ms
tap 0.5 0.5
142ms
tap 0.5 0.5
142ms
tap 0.5 0.5
500ms
down 0 0.5 0.5
50ms
up 0
50ms
down 0 0.5 0.5
50ms
up 0
50ms
down 0 0.5 0.5
50ms
up 0

80ms tap
302ms tap
524ms tap
746ms tap
968ms tap
1190ms tap
1412ms tap
1634ms tap
1856ms tap
2406ms tap
2506ms tap
2606ms tap
