"""What `tally doctor` finds, and its remedies."""

import json
import subprocess

from kit.machine import run
from kit.wait import equal


def doctor(identity={}):
    """All findings, as objects; each fault must have a remedy."""
    answer = subprocess.run(["tally", "doctor", "--json"], capture_output=True, text=True, cwd="/", **identity)
    findings = [json.loads(line) for line in answer.stdout.splitlines()]
    faults = [finding for finding in findings if finding["severity"] == "fault"]
    equal(answer.returncode, 1 if faults else 0, f"the status with {faults} {answer.stderr}")
    for fault in faults:
        equal(bool(fault.get("remedy")), True, f"whether a command mends it: {fault}")
    return findings


def finds(about, words, severity="fault", identity={}, findings=None):
    """The remedy of the one finding about something that contains these words. Pass `findings` to reuse an earlier
    result."""
    findings = doctor(identity) if findings is None else findings
    found = [one for one in findings if one["about"] == about and one["severity"] == severity and words in one["finding"]]
    if len(found) != 1:
        raise AssertionError(f"“{words}” about {about} is found {len(found)} times in:\n" + "\n".join(map(str, findings)))
    return found[0].get("remedy", "")


def mend(remedy, **options):
    """Runs a remedy as it stands, as root; returns what it printed."""
    return run("bash", "-c", f'sudo() {{ "$@"; }}; {remedy}', **options)


def healthy():
    equal([one for one in doctor() if one["severity"] == "fault"], [], "what is at fault on a healthy machine")
