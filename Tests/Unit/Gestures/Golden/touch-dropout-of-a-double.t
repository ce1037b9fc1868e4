# What was taken for a double-tap was a tap and a long press.
device screen
bind tap
bind long-press
bind double-tap eager
tap 0.5 0.5
100ms
down 0 0.5 0.5
60ms
up 0
30ms
down 0 0.5 0.5
600ms
up 0

80ms tap
240ms double-tap takes back tap
680ms tap (80ms) takes back double-tap
680ms long-press
