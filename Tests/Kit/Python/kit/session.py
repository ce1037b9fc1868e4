"""A person with a systemd of a session."""

import json
import pwd
import shutil
import subprocess

from kit import ROOT
from kit.machine import UNITS, run, state, systemctl
from kit.programs import PROGRAMS
from kit.wait import equal

PERSON = "tally-bob"
# The commands of Documentation/installing.md for a person's own daemons instead of the machine's.
COMMANDS = [
    line for line in (ROOT / "Documentation/installing.md").read_text().splitlines()
    if line.startswith(("sudo systemctl disable --now tally", "systemctl --user enable --now tally"))
]


class Run:
    """The part of `make run` after the build, run by that person until it is closed."""

    def __init__(self, session, folder):
        shutil.copytree(ROOT / "scripts", folder / "scripts", dirs_exist_ok=True)
        programs = folder / ".build/debug"
        if not programs.exists():
            programs.mkdir(parents=True)
            for name in ["tallyd", "tally-inputd", "tally-input", "tally"]:
                (programs / name).symlink_to(PROGRAMS / name)
            # Another test may not have installed the board yet, and the person may not be let into the checkout.
            shutil.copy(ROOT / ".build/release/tally-board", programs)
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

    def systemctl(self, *arguments):
        return self.run("systemctl", "--user", *arguments)

    def types(self, line):
        """Runs a line as it stands, with sudo as root."""
        if line.startswith("sudo "):
            run("bash", "-c", line.replace("sudo ", ""))
        else:
            self.run("bash", "-c", line)

    def finds(self, words, severity="fault"):
        """The remedy of the one finding of this person's doctor that contains these words."""
        findings = [json.loads(line) for line in self.run("tally", "doctor", "--json", check=False).splitlines()]
        found = [one for one in findings if words in one["finding"] and one["severity"] == severity]
        if len(found) != 1:
            raise AssertionError(f"“{words}” is found {len(found)} times in:\n" + "\n".join(map(str, findings)))
        return found[0].get("remedy", "")

    def is_healthy(self):
        answer = self.run("tally", "doctor", check=False)
        equal([line for line in answer.splitlines() if line.startswith("!!")], [], f"what is at fault in:\n{answer}")

    def use_own_daemons(self):
        """Follows Documentation/installing.md."""
        for command in COMMANDS:
            self.types(command)
        equal([state(unit) for unit in UNITS], ["inactive"] * 3, "the machine's own")

    def __exit__(self, *_):
        self.run("systemctl", "--user", "disable", "--now", *UNITS, check=False)
        subprocess.run(["systemctl", "stop", f"user@{self.number}.service"])
        # What somebody has counted is no other test's business.
        shutil.rmtree(f"/home/{PERSON}/.local/state", ignore_errors=True)
        # As other tests expect it.
        systemctl("enable", "tallyd.socket", "tally-inputd.service")
