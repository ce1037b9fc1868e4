"""A program at a terminal, with somebody who reads what it writes and answers."""

import codecs
import os
import pty
import select
import subprocess
import time

from kit.programs import PROGRAMS
from kit.wait import PATIENCE


class Terminal:
    """`tally-inputd` with some arguments at a terminal of its own."""

    def __init__(self, *arguments, home=None, environment=None):
        self.master, slave = pty.openpty()
        environment = {**os.environ, **({"HOME": str(home)} if home else {}), **(environment or {})}
        self.process = subprocess.Popen(
            [PROGRAMS / "tally-inputd", *map(str, arguments)],
            stdin=slave, stdout=slave, stderr=slave, cwd="/", env=environment, start_new_session=True,
        )
        os.close(slave)
        self.text = ""
        self.read = 0
        # A character may come in two parts.
        self.decoder = codecs.getincrementaldecoder("utf-8")()

    def _more(self, until):
        ready, _, _ = select.select([self.master], [], [], max(0, until - time.monotonic()))
        if not ready:
            raise AssertionError(f"the program did not go on; it wrote:\n{self.text}")
        try:
            self.text = (self.text + self.decoder.decode(os.read(self.master, 65536))).replace("\r\n", "\n")
        except OSError as error:
            raise AssertionError(f"the program ended; it wrote:\n{self.text}") from error

    def expect(self, words):
        """Waits until the program writes something, and gives all that it wrote since the last time, up to there."""
        until = time.monotonic() + PATIENCE
        while words not in self.text[self.read :]:
            self._more(until)
        end = self.text.index(words, self.read) + len(words)
        written, self.read = self.text[self.read : end], end
        return written

    def type(self, line):
        os.write(self.master, f"{line}\n".encode())

    def ends(self):
        """Waits for its end, and gives its status."""
        return self.process.wait(PATIENCE)

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.master)
