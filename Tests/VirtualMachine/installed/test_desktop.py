"""The units for a desktop: a person's own daemons, under the systemd of that person's session."""

import json
import pwd
import shutil
import subprocess
from pathlib import Path

from kit.machine import CHECKOUT, UNITS, Installed, run, state, systemctl, values, wait_for
from kit.programs import PROGRAMS
from kit.wait import becomes, equal, eventually

PERSON = "tally-bob"
# What README says is to be typed for one's own daemons, instead of the machine's.
COMMANDS = [
    line for line in (CHECKOUT / "README.md").read_text().splitlines()
    if line.startswith(("sudo systemctl disable --now tally", "systemctl --user enable --now tally"))
]


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

    def types(self, line):
        """Has a line done as it stands: what is for root by root."""
        if line.startswith("sudo "):
            run("bash", "-c", line.replace("sudo ", ""))
        else:
            self.run("bash", "-c", line)

    def finds(self, words, severity="fault"):
        """What the doctor tells this person about daemons, core and devices: the one finding that says so; its remedy."""
        findings = [json.loads(line) for line in self.run("tally", "doctor", "--json", check=False).splitlines()]
        found = [one for one in findings if words in one["finding"] and one["severity"] == severity]
        if len(found) != 1:
            raise AssertionError(f"“{words}” is found {len(found)} times in:\n" + "\n".join(map(str, findings)))
        return found[0].get("remedy", "")

    def is_healthy(self):
        answer = self.run("tally", "doctor", check=False)
        equal([line for line in answer.splitlines() if line.startswith("!!")], [], f"what is at fault in:\n{answer}")

    def __exit__(self, *_):
        self.run("systemctl", "--user", "disable", "--now", *UNITS, check=False)
        subprocess.run(["systemctl", "stop", f"user@{self.number}.service"])
        # What somebody has counted is no other test's business.
        shutil.rmtree(f"/home/{PERSON}/.local/state", ignore_errors=True)
        # As other tests expect it.
        systemctl("enable", "tallyd.socket", "tally-inputd.service")


def own_daemons(session, presenter):
    """What README says, and the presenter is this person's."""
    # Where somebody sits at the machine, logind gives him the device for the tag "uaccess".
    shutil.chown(presenter.node, group=PERSON)
    for command in COMMANDS:
        session.types(command)
    equal([state(unit) for unit in UNITS], ["inactive"] * 3, "the machine's own")
    log = lambda: run("journalctl", "--boot", "--output=cat", f"_UID={session.number}")
    eventually(lambda: f"{presenter.node} (Logitech USB Receiver) is in use" in log(), "the presenter is in use")


def test_own_daemons(scene):
    """With README's commands a person's own daemons count what he may read, into counts of his own; the doctor agrees."""
    presenter = scene.presenter()
    equal(len(COMMANDS), 2, f"README's commands: {COMMANDS}")
    with Installed(), Session() as session:
        own_daemons(session, presenter)
        presenter.press()
        # The first press makes the counter; until then the report says that there is none.
        becomes(lambda: session.run("tally", "report", check=False), "1 count\n", "the counters")
        session.is_healthy()
        equal(session.finds(f"/run/user/{session.number}/tallymark", "fine"), "", "where the core is")


def test_doctor_of_own_daemons(scene):
    """The doctor finds daemons that count twice, and of a person's own what is amiss; what it says mends just those."""
    presenter = scene.presenter()
    with Installed(), Session() as session:
        own_daemons(session, presenter)
        systemctl("enable", "--now", "tallyd.socket", "tally-inputd.service")
        session.types(session.finds("each counts every press"))
        equal([state(unit) for unit in UNITS], ["inactive"] * 3, "the machine's own")
        session.is_healthy()
        session.run("systemctl", "--user", "stop", "tally-inputd.service")
        session.types(session.finds("tally-inputd.service does not run"))
        session.run("systemctl", "--user", "stop", "tallyd.service", "tallyd.socket")
        session.types(session.finds("tallyd.socket does not run"))
        # It answers, and systemd knows: one that is only being started is no core that hangs.
        session.run("tally")
        becomes(lambda: session.run("systemctl", "--user", "is-active", "tallyd.service", check=False), "active\n", "the core")
        pid = session.run("systemctl", "--user", "show", "--value", "-p", "MainPID", "tallyd.service").strip()
        run("kill", "-STOP", pid)
        session.types(session.finds("does not answer"))
        equal([state(unit) for unit in UNITS], ["inactive"] * 3, "the machine's own")
        session.is_healthy()
        shutil.chown(presenter.node, group="root")
        session.types(session.finds("this user is not in it"))
        equal(Path(presenter.node).group(), "tallymark-input", "whose the presenter is")
        equal(
            session.finds("this user is not in it"), 'sudo usermod -aG tallymark-input "$USER"',
            "what lets somebody use it who does not sit at the machine")


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
