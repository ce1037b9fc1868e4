"""A station in a virtual machine."""

import json
import os
import shlex
import signal
import subprocess
from pathlib import Path

from kit import ROOT
from kit.process import Process


class Machine(Process):
    """A virtual machine with a core and a bridge of its own, and a disk that outlives it; see guest."""

    def __init__(self, stage, name, disk=None):
        self.stage = stage
        folder = stage.folder / name
        folder.mkdir()
        self.disk = folder / "disk"
        if disk:
            self.restore(disk)
        else:
            subprocess.run(["truncate", "--size", "64M", self.disk], check=True)
            subprocess.run(["/usr/sbin/mkfs.ext4", "-q", self.disk], check=True)
        guest = [Path(__file__).with_name("guest"), stage.programs]
        # What boot leaves when it is killed goes with the stage.
        super().__init__(
            folder, [ROOT / "Tests/Machines/Guest/boot", "--network", "--input", *guest],
            {"VM_DISK": str(self.disk), "VM_SECONDS": "3000", "TMPDIR": str(folder)},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True)
        self.name = name
        stage.keep(self)
        # Its first command waits until it is ready.
        self.start()

    def kill(self):
        """A power cut: what the machine had not flushed is gone."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def copy(self, name):
        """A copy of the disk of a machine that is off."""
        copy = self.disk.with_name(name)
        subprocess.run(["cp", "--sparse=always", self.disk, copy], check=True)
        return copy

    def restore(self, disk):
        """Puts a copy of a disk into this machine, which is off."""
        subprocess.run(["cp", "--sparse=always", disk, self.disk], check=True)

    def run(self, *words):
        """The output of a command in the machine, which must succeed."""
        print(shlex.join(map(str, words)), file=self.process.stdin, flush=True)
        output = []
        for line in self.process.stdout:
            # The output before it may end in the middle of a line.
            text, end, status = line.partition("\x1e")
            output.append(text)
            if end:
                if int(status):
                    raise AssertionError(f"{self.name}: {shlex.join(map(str, words))}: {status}{''.join(output)}")
                return "".join(output)
        raise AssertionError(f"The machine {self.name} has ended: {self.log.read_text()}")

    @property
    def said(self):
        return self.log.read_text() + (self.run("cat", "/run/log") if self.is_running else "")

    def tally(self, *words):
        return self.run("tally", *words)

    def join(self, station):
        return self.tally("fleet", "join", f"mqtt://10.0.2.2:{self.stage.broker.port}", "--fleet", "venue", "--station", station)

    def press(self, amount=1):
        """Counts people; the answer means that the count is on the disk."""
        self.tally("add", "people", amount)

    def show(self):
        """The total of people, and this station's share."""
        counter = json.loads(self.tally("show", "--json", "people").splitlines()[0])
        return counter["value"], counter.get("own")

    def stations(self):
        """What tally fleet says of each station."""
        return {line["name"]: line for line in map(json.loads, self.tally("fleet", "--json").splitlines())}
