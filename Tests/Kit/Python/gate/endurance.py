"""The report of the long tests: what was tried, with which seeds, how often and for how long."""

import subprocess
import time

from gate import LOGS, ROOT

FOLDER = ROOT / ".build/endurance"


def report(run):
    """Writes a report of a run into a file of its own, with the last lines of each part, and prints its path."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True).stdout.strip() or "unknown"
    lines = [f"# Endurance of {commit}, {time.strftime('%Y-%m-%d %H:%M')}", "", "| part | seed | tests | failed | seconds |", "|---|---|---:|---:|---:|"]
    for job in run.jobs:
        failed = sum(not result.passed for result in job.results)
        lines.append(f"| {job.part} | {', '.join(dict.fromkeys(job.seeds))} | {len(job.results)} | {failed} | {job.seconds:.0f} |")
    for job in run.jobs:
        # Programs print what they have tried in their last lines.
        lines += ["", f"## {job.part}", "", "```", *list(job.end)[-20:], "```"]
    file = FOLDER / f"{time.strftime('%Y-%m-%d-%H%M')}.md"
    file.write_text("\n".join(lines) + "\n")
    print(f"The report is {file.relative_to(ROOT)}; the output of each part is in {LOGS.relative_to(ROOT)}.")
