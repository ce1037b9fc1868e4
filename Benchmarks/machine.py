"""What the figures were measured on."""

import os
import platform
import sqlite3
import subprocess


def _first(path, key):
    with open(path) as lines:
        for line in lines:
            name, _, value = line.partition(":")
            if name.strip() == key:
                return value.strip()
    return "unknown"


def file_system(path):
    """The type of the file system that holds `path`."""
    best = ("", "unknown")
    with open("/proc/self/mountinfo") as mounts:
        for mount in mounts:
            fields = mount.split()
            point, kind = fields[4], fields[fields.index("-") + 1]
            if (os.path.realpath(path) + "/").startswith(point.rstrip("/") + "/") and len(point) >= len(best[0]):
                best = (point, kind)
    return best[1]


def output(*command):
    """The first line that a command prints, "unknown" where it cannot be run."""
    try:
        found = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
        return found.strip().splitlines()[0]
    except (OSError, IndexError):
        return "unknown"


def load_average():
    return "%.2f" % os.getloadavg()[0]


def describe(tallyd, state):
    """Lines that say which machine, which versions and which disk."""
    memory = int(_first("/proc/meminfo", "MemTotal").split()[0]) / 2**20
    redis = output("redis-server", "--version").split()
    version = next((word[2:] for word in redis if word.startswith("v=")), "unknown")
    return [
        "Machine: %s, %s, %d cores, %.0f GB" % (
            platform.node(), _first("/proc/cpuinfo", "model name"), os.cpu_count(), memory),
        "System: %s, Linux %s; state on %s" % (
            platform.freedesktop_os_release().get("PRETTY_NAME", "unknown"), platform.release(), file_system(state)),
        "Versions: %s (commit %s), SQLite %s, Redis %s" % (
            output(tallyd, "--version"), output("git", "describe", "--always", "--dirty"), sqlite3.sqlite_version,
            version),
    ]
