# The tap was given when the panel lost the finger; as the touch goes on it turns out to be a long press.
bind tap
bind long-press
0ms down 0 0.5 0.5
60ms up 0
90ms down 0 0.5 0.5
690ms up 0

60ms tap
500ms long-press takes back tap
