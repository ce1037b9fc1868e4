# What was taken for a double-tap was a tap and a long press.
bind tap
bind long-press
bind double-tap eager
0ms tap 0.5 0.5
180ms down 0 0.5 0.5
240ms up 0
270ms down 0 0.5 0.5
870ms up 0

80ms tap
240ms double-tap takes back tap
680ms tap (80ms) takes back double-tap
680ms long-press
