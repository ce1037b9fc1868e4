0ms down 0 0.5 0.5
60ms up 0
90ms down 0 0.5 0.507
120ms move 0 0.5 0.6
150ms move 0 0.5 0.8
180ms up 0

60ms tap
180ms swipe-down takes back tap
