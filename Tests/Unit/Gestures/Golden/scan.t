# By the device's own name, whatever the system makes of it.
device pedal
bind double-press KEY / 458833
scan 458833 + press 240
80ms
scan 458833 + release 240
100ms
scan 458833 + press 240
80ms
scan 458833 + release 240
600ms
scan 458834 + press 240

180ms double-press 240
860ms press 240
