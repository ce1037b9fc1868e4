// Builds all programs, which Package.swift names as dependencies of this target, and the clicker that tests replay.
