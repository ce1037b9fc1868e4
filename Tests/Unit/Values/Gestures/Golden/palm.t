# A palm is nothing, whether the kernel says so or its size does, and a finger beside it counts.
0ms down 0 0.5 0.5 + tool 0 2
30ms down 1 0.2 0.2
90ms up 1
120ms up 0 + tool 0 0
220ms down 0 0.5 0.5 + size 0 250
310ms size 0 100
330ms up 0
430ms down 0 0.5 0.5 + size 0 100
450ms size 0 249
490ms up 0

90ms tap
490ms tap
