# Where a long press is bound it is given when its time has come, and lifting gives nothing more.
bind tap
bind long-press
0ms down 0 0.5 0.5
700ms up 0
800ms tap 0.5 0.5

500ms long-press
880ms tap
