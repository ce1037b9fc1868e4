device mouse
drop rel 8 5
rel 8 0
rel 11 0

