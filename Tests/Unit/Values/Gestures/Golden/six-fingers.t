# Nothing is bound to several fingers: each counts, however many there are.
0ms down 0 0.1 0.5 + down 1 0.2 0.5 + down 2 0.3 0.5 + down 3 0.6 0.5 + down 4 0.7 0.5
60ms up 0 + up 1 + up 2 + up 3 + up 4
160ms down 0 0.1 0.5 + down 1 0.2 0.5 + down 2 0.3 0.5 + down 3 0.6 0.5 + down 4 0.7 0.5 + down 5 0.8 0.5
220ms up 0 + up 1 + up 2 + up 3 + up 4 + up 5

60ms tap
60ms tap
60ms tap
60ms tap
60ms tap
220ms tap
220ms tap
220ms tap
220ms tap
220ms tap
220ms tap
