# On while down, off when up; also where the device vanishes or the release was dropped.
device pedal
bind hold
0ms press 48
2000ms release 48
2100ms press 48
2400ms drop release 48
2500ms press 48
2800ms gone

0ms hold 48 on
0ms press 48
2000ms hold 48 off
2100ms hold 48 on
2100ms press 48
2400ms hold 48 off
2500ms hold 48 on
2500ms press 48
2800ms hold 48 off
