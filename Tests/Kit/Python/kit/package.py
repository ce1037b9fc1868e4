"""The Debian package, and a machine without any other installation."""

import os
import shutil
import subprocess
from pathlib import Path

from kit import ROOT
from kit.machine import Installed, forget_vendors, run
from kit.runner import prepare

RELEASE = ROOT / ".build/release"
# In an order in which they can be removed.
NAMES = ["tallymark-kiosk", "tallymark-board", "tallymark"]
CONFIGURATION = Path("/etc/tallymark/core.toml")
# This file takes precedence over the system's data base.
OWN_DATA_BASE = Path("/etc/udev/hwdb.bin")
VERSION = subprocess.run([RELEASE / "tally", "--version"], capture_output=True, text=True).stdout.split()[-1]


def package(name="tallymark"):
    found = list((ROOT / ".build/deb").glob(f"{name}_{VERSION}_*.deb"))
    if not found:
        raise AssertionError(f"There is no package {name} of this version. Run: make {'deb' if name == 'tallymark' else 'deb-board'}")
    return found[0]


def another(version, name="tallymark"):
    """The same package as another version."""
    tree, target = f"/tmp/{name}-{version}", f"/tmp/{name}-{version}.deb"
    shutil.rmtree(tree, ignore_errors=True)
    run("dpkg-deb", "--raw-extract", package(name), tree)
    control = Path(tree, "DEBIAN/control")
    control.write_text(control.read_text().replace(f"Version: {VERSION}\n", f"Version: {version}\n"))
    run("dpkg-deb", "-Znone", "--root-owner-group", "--build", tree, target)
    return target


class Packages:
    """The machine without what other tests have installed, until it is closed; the package is purged then."""

    def __enter__(self):
        # Images for containers forbid packages to start anything.
        Path("/usr/sbin/policy-rc.d").unlink(missing_ok=True)
        # Indexing the manual pages takes an emulated machine minutes.
        Path("/var/lib/man-db/auto-update").unlink(missing_ok=True)
        forget_vendors()
        run("scripts/install", "uninstall", cwd=ROOT, env=Installed.environment)
        Installed.is_there = False
        CONFIGURATION.unlink(missing_ok=True)

    def __exit__(self, failure, *_):
        if failure:
            subprocess.run(["journalctl", "--boot", "--lines=60", "--no-hostname"])
        subprocess.run(["dpkg", "--purge", *NAMES], capture_output=True)
        OWN_DATA_BASE.unlink(missing_ok=True)
        prepare(RELEASE)


def dpkg(*arguments):
    return run("dpkg", "--force-confold", *arguments, env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"})


def status(name="tallymark"):
    answer = subprocess.run(
        ["dpkg-query", "-W", "-f=${db:Status-Status} ${Version}", name], capture_output=True, text=True)
    return answer.stdout.strip()
