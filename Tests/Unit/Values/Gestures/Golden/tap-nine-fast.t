# Nine taps at 4.5 a second and three at ten a second, nothing else bound.
0ms tap 0.5 0.5
222ms tap 0.5 0.5
444ms tap 0.5 0.5
666ms tap 0.5 0.5
888ms tap 0.5 0.5
1110ms tap 0.5 0.5
1332ms tap 0.5 0.5
1554ms tap 0.5 0.5
1776ms tap 0.5 0.5
2356ms down 0 0.5 0.5
2406ms up 0
2456ms down 0 0.5 0.5
2506ms up 0
2556ms down 0 0.5 0.5
2606ms up 0

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
