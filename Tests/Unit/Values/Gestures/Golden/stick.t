# A cross that comes as a stick: pressed far out, let go halfway back.
device gamepad
0ms abs 1 0
20ms abs 1 12000
40ms abs 1 0
140ms abs 1 32767
240ms abs 1 65535
260ms abs 1 54000
280ms abs 1 65535
380ms abs 1 40000
480ms abs 1 60000

0ms press 1344
240ms press 1345
480ms press 1345
