"""The units for a desktop: a person's own daemons, under the systemd of that person's session."""

import pwd
import shutil
import subprocess

from kit.machine import CHECKOUT, UNITS, Installed, run, systemctl, values, wait_for
from kit.programs import PROGRAMS
from kit.wait import becomes, equal, eventually

PERSON = "tally-bob"


class Run:
    """What `make run` does once it has built everything, done by that person; ended when it is closed."""

    def __init__(self, session, folder):
        shutil.copytree(CHECKOUT / "scripts", folder / "scripts", dirs_exist_ok=True)
        (folder / ".build").mkdir(exist_ok=True)
        if not (folder / ".build/release").exists():
            (folder / ".build/release").symlink_to(PROGRAMS)
        folder.chmod(0o755)
        self.log = folder / "log"
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [folder / "scripts/run"], stdin=subprocess.DEVNULL, stdout=log, stderr=log, **session.identity)

    def said(self):
        return self.log.read_text()

    def __enter__(self):
        return self

    def __exit__(self, failure, *_):
        if failure:
            print(self.said())
        self.process.terminate()
        self.process.wait()


class Session:
    """A person who has logged in, with a systemd of his own."""

    def __enter__(self):
        try:
            pwd.getpwnam(PERSON)
        except KeyError:
            run("useradd", "--create-home", PERSON)
        self.number = pwd.getpwnam(PERSON).pw_uid
        environment = {"XDG_RUNTIME_DIR": f"/run/user/{self.number}", "HOME": f"/home/{PERSON}", "PATH": "/usr/bin:/bin"}
        self.identity = {"user": PERSON, "group": PERSON, "extra_groups": [], "env": environment, "cwd": "/"}
        systemctl("start", f"user@{self.number}.service")
        return self

    def run(self, *command, check=True):
        answer = subprocess.run(command, capture_output=True, text=True, **self.identity)
        if check and answer.returncode != 0:
            raise AssertionError(f"{' '.join(command)}: {answer.stdout}{answer.stderr}")
        return answer.stdout

    def __exit__(self, *_):
        subprocess.run(["systemctl", "stop", f"user@{self.number}.service"])
        # What somebody has counted is no other test's business.
        shutil.rmtree(f"/home/{PERSON}/.local/state", ignore_errors=True)


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


def test_run_beside_services(scene):
    """`make run` counts into a core of that person's own beside the machine's services, and beside services of his own it
    only shows what they count."""
    presenter = scene.presenter()
    counted = lambda: session.run("tally", "report", check=False)
    with Installed(), Session() as session:
        wait_for(presenter)
        shutil.chown(presenter.node, group=PERSON)
        with Run(session, scene.folder) as own:
            eventually(lambda: "is in use" in own.said(), "the presenter is in use")
            presenter.press()
            becomes(counted, "1 count\n", "that person's counters")
            becomes(values, {"count": 1}, "the machine's counters")
        systemctl("stop", *UNITS)
        session.run("systemctl", "--user", "start", "tallyd.socket", "tally-inputd.service")
        with Run(session, scene.folder) as own:
            eventually(lambda: "is counting" in own.said(), "it says that somebody counts already")
            presenter.press()
            becomes(counted, "2 count\n", "that person's counters")
            eventually(lambda: "2 " in own.said(), "it shows the count")
        equal(counted(), "2 count\n", "that person's counters in the end")
