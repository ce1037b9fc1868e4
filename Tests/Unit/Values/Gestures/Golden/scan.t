# By the device's own name, whatever the system makes of it.
device pedal
bind double-press KEY / 458833
0ms scan 458833 + press 240
80ms scan 458833 + release 240
180ms scan 458833 + press 240
260ms scan 458833 + release 240
860ms scan 458834 + press 240

180ms double-press 240
860ms press 240
