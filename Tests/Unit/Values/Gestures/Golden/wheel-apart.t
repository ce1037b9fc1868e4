# A detent that comes whole and in parts, each in a report of its own, counts once, whichever comes first.
device mouse
0ms rel 8 1
1ms rel 11 120
300ms rel 8 2
302ms rel 11 240
600ms rel 11 120
601ms rel 8 1
900ms rel 11 60
901ms rel 8 -1
902ms rel 11 -120
1200ms rel 8 1
1201ms rel 8 1
1202ms rel 11 120
1203ms rel 11 120

0ms wheel-up
300ms wheel-up
300ms wheel-up
600ms wheel-up
901ms wheel-down
1200ms wheel-up
1201ms wheel-up
