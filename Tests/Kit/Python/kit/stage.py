"""What a test plays in: a folder, with programs and other things that end with it."""

import shutil
import tempfile
from contextlib import ExitStack
from pathlib import Path

from kit.process import Process


class Stage:
    def __init__(self, parent=None):
        self.folder = Path(tempfile.mkdtemp(prefix="stage-", dir=parent))
        self.kept = []

    def keep(self, thing):
        """Has something closed with the stage; the last one first."""
        self.kept.append(thing)
        return thing

    def logs(self):
        """The names of programs and what they wrote, for a test that has failed."""
        return [(str(one.log.relative_to(self.folder).with_suffix("")), one.said) for one in self.kept if isinstance(one, Process)]

    def end(self):
        """Ends everything, whatever goes wrong with one of them; the folder stays."""
        with ExitStack() as ends:
            for one in self.kept:
                ends.callback(one.close)

    def close(self):
        try:
            self.end()
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)
