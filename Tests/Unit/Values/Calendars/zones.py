"""Prints what Python's zoneinfo says of this machine's time zones, for the tests to compare.

    offset ZONE SECONDS OFFSET      the offset at a moment
    wall ZONE LOCAL FIRST LAST      the first and the last moment that a wall shows; LOCAL is seconds past 1970 there
    gap ZONE LOCAL                  a time that no wall shows
"""

import random
from datetime import datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

# Twice the same table each time.
random.seed(1)
FOLDER = Path("/usr/share/zoneinfo")
EPOCH = datetime(1970, 1, 1)
NAMES = ["UTC", "Europe/Berlin", "Europe/Dublin", "Europe/Lisbon", "America/New_York", "America/St_Johns",
         "America/Sao_Paulo", "America/Nuuk", "Africa/Casablanca", "Africa/Monrovia", "Asia/Kolkata", "Asia/Tehran",
         "Asia/Gaza", "Asia/Kathmandu", "Asia/Manila", "Australia/Lord_Howe", "Australia/Adelaide", "Antarctica/Troll",
         "Pacific/Apia", "Pacific/Kiritimati", "Pacific/Chatham", "America/Juneau", "Asia/Pyongyang"]


def seconds(moment):
    return (moment - EPOCH) // timedelta(seconds=1)


def wall(name, zone, local):
    """How a time on the wall is shown: zoneinfo's rule for gaps is that going there and back does not arrive."""
    found = set()
    for fold in (0, 1):
        moment = local.replace(tzinfo=zone, fold=fold).astimezone(timezone.utc)
        if moment.astimezone(zone).replace(tzinfo=None, fold=0) == local:
            found.add(seconds(moment.replace(tzinfo=None)))
    if found:
        print("wall", name, seconds(local), min(found), max(found))
    else:
        print("gap", name, seconds(local))


for name in NAMES:
    if not (FOLDER / name).exists():
        continue
    zone = ZoneInfo(name)
    for _ in range(150):
        moment = random.randrange(-2_500_000_000, 4_000_000_000)
        offset = datetime.fromtimestamp(moment, zone).utcoffset()
        print("offset", name, moment, offset // timedelta(seconds=1))
    # Days on which the clocks are changed, looked at every half an hour.
    for year in (1945, 1978, 1994, 2011, 2020, 2024, 2026, 2037, 2050):
        day = datetime(year, 1, 1)
        while day.year == year:
            following = day + timedelta(days=1)
            if day.replace(tzinfo=zone).utcoffset() != following.replace(tzinfo=zone).utcoffset():
                for half in range(-2, 50):
                    wall(name, zone, day + timedelta(minutes=30 * half))
            day = following
