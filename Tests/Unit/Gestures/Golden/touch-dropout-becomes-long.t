# The tap was given when the panel lost the finger; as the touch goes on it turns out to be a long press.
device screen
bind tap
bind long-press
down 0 0.5 0.5
60ms
up 0
30ms
down 0 0.5 0.5
600ms
up 0

60ms tap
500ms long-press takes back tap
