"""Makes what the parts need, one target after the other."""

import os
import subprocess
import threading
import time

from gate import ROOT
from gate.parts import PARTS


class Builds:
    def __init__(self, names):
        targets = dict.fromkeys(target for name in names for target in PARTS[name].needs)
        # The set-ups first, which say at once what this machine lacks. Then the packages, which the longest parts need; the
        # tests last, beside which those parts run.
        self.ahead = sorted(
            targets, key=lambda target: (not target.startswith("setup"), target == "build-tests", not target.startswith("deb")))
        # Seconds by target that is made.
        self.took = {}
        self.failed = None
        self.process = None
        # Notified after each of them.
        self.changed = threading.Condition()

    def everything(self):
        # Packages that only tests install need not be small.
        environment = {**os.environ, "DPKG_DEB_COMPRESSOR_TYPE": "gzip", "DPKG_DEB_COMPRESSOR_LEVEL": "1"}
        for target in self.ahead:
            begun = time.monotonic()
            # Only in the session of the terminal can sudo ask for the password.
            self.process = subprocess.Popen(
                ["make", "--no-print-directory", target], cwd=ROOT, env=environment,
                start_new_session=not target.startswith("setup"))
            status = self.process.wait()
            with self.changed:
                if status:
                    self.failed = target
                else:
                    self.took[target] = time.monotonic() - begun
                self.changed.notify_all()
            if status:
                return

    def has(self, part):
        """Whether all that a part needs is made."""
        return all(target in self.took for target in PARTS[part].needs)
