device pedal
set bounce 0
0ms press 48 + release 48 + press 48 + release 48

0ms press 48
0ms press 48
