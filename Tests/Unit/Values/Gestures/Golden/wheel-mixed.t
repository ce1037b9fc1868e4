# Parts in some reports and whole detents alone in others count each.
device mouse
0ms rel 8 1 + rel 11 120
300ms rel 8 1 + rel 11 120
600ms rel 8 1
601ms rel 8 1
900ms rel 8 -2
1200ms rel 11 60
1210ms rel 11 60
1500ms rel 8 1

0ms wheel-up
300ms wheel-up
600ms wheel-up
601ms wheel-up
900ms wheel-down
900ms wheel-down
1210ms wheel-up
1500ms wheel-up
