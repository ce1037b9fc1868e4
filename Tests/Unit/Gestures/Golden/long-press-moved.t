# A finger that has left its place when the time comes does not press; it may still swipe.
device screen
bind long-press
down 0 0.5 0.3
400ms
move 0 0.5 0.5
300ms
up 0

700ms swipe-down
