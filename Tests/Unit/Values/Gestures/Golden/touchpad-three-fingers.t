# Two places for three fingers: their number is what the device says it is (BTN_TOOL_TRIPLETAP, 334).
device touchpad
bind touch 3
bind double-tap 3
0ms down 0 0.3 0.5 + press 325
10ms down 1 0.6 0.5 + release 325 + press 333
20ms move 1 0.9 0.5 + press 334 + release 333
80ms up 0 + up 1 + release 334
180ms down 0 0.3 0.5 + down 1 0.6 0.5 + press 334
240ms up 0 + up 1 + release 334
740ms down 0 0.3 0.2 + down 1 0.6 0.2 + press 334
790ms move 0 0.3 0.4 + move 1 0.6 0.4
840ms move 0 0.3 0.6 + move 1 0.6 0.6
890ms up 0 + up 1 + release 334

20ms 3 touch
180ms 3 touch
240ms 3 double-tap
740ms 3 touch
890ms 3 swipe-down
