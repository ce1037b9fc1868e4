# A cross that comes as a stick: pressed far out, let go halfway back.
device gamepad
abs 1 0
20ms
abs 1 12000
20ms
abs 1 0
100ms
abs 1 32767
100ms
abs 1 65535
20ms
abs 1 54000
20ms
abs 1 65535
100ms
abs 1 40000
100ms
abs 1 60000

0ms press 1344
240ms press 1345
480ms press 1345
