# One of two fingers does not hold on.
device screen
wish long-press 2
down 0 0.3 0.5 + down 1 0.7 0.5
300ms
up 1
600ms
up 0

