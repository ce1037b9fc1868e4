device pedal
wish press
wish release
press 48
200ms
release 48

0ms press 48
200ms release 48
