"""A copy of the tree, with a build of its own, for tests that change the sources."""

import shutil

from kit import ROOT

TREE = ["Makefile", "Package.swift", "Package.resolved", "Sources", "Tests", "Benchmarks", "Recordings", "Documentation", "README.md",
        "packaging", "systemd", "udev", "scripts"]
# The dependencies, which need not be fetched again.
FETCHED = ["checkouts", "repositories", "workspace-state.json"]


def copy_tree(folder):
    """Makes the copy, or makes it anew; keeps what was built there."""
    for name in TREE:
        source, target = ROOT / name, folder / name
        if source.is_dir():
            # Without files that are gone, and with the times that spare what did not change a build.
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(source, target)
        elif source.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)
    for name in FETCHED:
        source, target = ROOT / ".build" / name, folder / ".build" / name
        if source.exists() and not target.exists():
            target.parent.mkdir(exist_ok=True)
            (shutil.copytree if source.is_dir() else shutil.copy2)(source, target)
