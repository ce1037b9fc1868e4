# A finger that has left its place when the time comes does not press; it may still swipe.
bind long-press
0ms down 0 0.5 0.3
400ms move 0 0.5 0.5
700ms up 0

700ms swipe-down
