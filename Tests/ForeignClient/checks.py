"""Runs all checks with the programs in the folder that is given."""

import sys
import tempfile

import certification
import checking
import core
import descriptors

with tempfile.TemporaryDirectory() as folder:
    certification.run(sys.argv[1], folder)
    descriptors.run(sys.argv[1], folder)
    core.run(sys.argv[1], folder)
checking.finish()
