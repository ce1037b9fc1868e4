"""The units for a desktop: a person's own daemons, under the systemd of that person's session."""

import pwd
import shutil
import subprocess

from kit.machine import UNITS, Installed, run, systemctl
from kit.wait import becomes, eventually

PERSON = "tally-bob"


class Session:
    """A person who has logged in, with a systemd of his own."""

    def __enter__(self):
        try:
            pwd.getpwnam(PERSON)
        except KeyError:
            run("useradd", "--create-home", PERSON)
        self.number = pwd.getpwnam(PERSON).pw_uid
        systemctl("start", f"user@{self.number}.service")
        return self

    def run(self, *command, check=True):
        environment = {"XDG_RUNTIME_DIR": f"/run/user/{self.number}", "HOME": f"/home/{PERSON}", "PATH": "/usr/bin:/bin"}
        answer = subprocess.run(
            command, user=PERSON, group=PERSON, extra_groups=[], env=environment, cwd="/", capture_output=True, text=True)
        if check and answer.returncode != 0:
            raise AssertionError(f"{' '.join(command)}: {answer.stdout}{answer.stderr}")
        return answer.stdout

    def __exit__(self, *_):
        subprocess.run(["systemctl", "stop", f"user@{self.number}.service"])


def test_own_daemons(scene):
    """A person's own daemons count what he may read, into counts of his own."""
    presenter = scene.presenter()
    with Installed(), Session() as session:
        systemctl("stop", *UNITS)
        # Where somebody sits at the machine, logind gives him the device for the tag "uaccess".
        shutil.chown(presenter.node, group=PERSON)
        session.run("systemctl", "--user", "start", "tallyd.socket", "tally-inputd.service")
        log = lambda: run("journalctl", "--boot", "--output=cat", f"_UID={session.number}")
        eventually(lambda: f"{presenter.node} (Logitech USB Receiver) is in use" in log(), "the presenter is in use")
        presenter.press()
        # The first press makes the counter; until then the report says that there is none.
        becomes(lambda: session.run("tally", "report", check=False), "1 count\n", "the counters")
