"""What the builds, the parts and the slowest tests of a run cost."""

from collections import Counter

from gate import LOGS, ROOT

# How many of the slowest tests are shown.
SHOWN = 30


def short(name):
    """The name of a test without its sentence: `file.function` before a colon, or the first words."""
    function, colon, _ = name.partition(": ")
    return (function if colon and "." in function else name)[:90]


def write(run, results):
    """Prints the tables, writes them to `costs.md`, and each test's seconds to `costs`; `results`: pairs of a result and its part."""
    results = sorted(results, key=lambda pair: -pair[0].seconds)
    (LOGS / "costs").write_text("".join(f"{result.seconds:8.2f}  {part:10} {result.name}\n" for result, part in results))
    if len(results) < 3:
        return
    took, counts = Counter(), Counter()
    for job in run.jobs:
        took[job.part] += job.seconds
        counts[job.part] += len(job.results)
    lines = ["| build or part | seconds | tests |", "|---|---:|---:|"]
    lines += [f"| make {target} | {seconds:.0f} | |" for target, seconds in run.builds.took.items()]
    lines += [f"| {part} | {seconds:.0f} | {counts[part]} |" for part, seconds in took.most_common()]
    total = sum(run.builds.took.values()) + sum(took.values())
    lines += [f"| all, {run.lanes} at a time: {run.clock().strip()} | {total:.0f} | {sum(counts.values())} |", ""]
    lines += [f"| the {SHOWN} slowest tests | seconds |", "|---|---:|"]
    lines += [f"| {part}: {short(result.name)} | {result.seconds:.1f} |" for result, part in results[:SHOWN]]
    (LOGS / "costs.md").write_text("\n".join(lines) + "\n")
    print(f"==> What the run cost (also in {(LOGS / 'costs.md').relative_to(ROOT)})")
    print("\n".join(lines))
