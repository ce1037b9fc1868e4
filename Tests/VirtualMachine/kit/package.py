"""The Debian package, and a machine without any other installation."""

import os
import subprocess
from pathlib import Path

from kit.machine import CHECKOUT, Installed, forget_vendors, run
from kit.runner import prepare

RELEASE = CHECKOUT / ".build/release"
CONFIGURATION, GESTURES = Path("/etc/tallymark/core.toml"), Path("/etc/tallymark/input.toml")
# This file takes precedence over the system's data base.
OWN_DATA_BASE = Path("/etc/udev/hwdb.bin")
VERSION = subprocess.run([RELEASE / "tally", "--version"], capture_output=True, text=True).stdout.split()[-1]


def package():
    found = list((CHECKOUT / ".build/deb").glob(f"tallymark_{VERSION}_*.deb"))
    if not found:
        raise AssertionError("There is no package of this version. Run: make deb")
    return found[0]


def another(version):
    """The same package as another version."""
    tree, target = f"/tmp/tallymark-{version}", f"/tmp/tallymark-{version}.deb"
    run("dpkg-deb", "--raw-extract", package(), tree)
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
        run("scripts/install", "uninstall", cwd=CHECKOUT, env=Installed.environment)
        Installed.is_there = False
        CONFIGURATION.unlink(missing_ok=True)

    def __exit__(self, failure, *_):
        if failure:
            subprocess.run(["journalctl", "--boot", "--lines=60", "--no-hostname"])
        subprocess.run(["dpkg", "--purge", "tallymark"], capture_output=True)
        OWN_DATA_BASE.unlink(missing_ok=True)
        prepare(RELEASE)


def dpkg(*arguments):
    return run("dpkg", "--force-confold", *arguments, env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"})


def status():
    answer = subprocess.run(
        ["dpkg-query", "-W", "-f=${db:Status-Status} ${Version}", "tallymark"], capture_output=True, text=True)
    return answer.stdout.strip()
