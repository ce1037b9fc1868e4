// Builds tallyd, tally-inputd, tally-input and tally, which Package.swift names as dependencies of this target.
