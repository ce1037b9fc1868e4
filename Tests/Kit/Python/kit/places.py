"""Marks that say where a test of an installed system can run: in a container, in a guest, or in both."""

CONTAINER, GUEST = "container", "guest"


def in_container(test):
    """Marks a test that runs in a container: it needs systemd, users and disks, and no device."""
    return _marked(test, CONTAINER)


def in_guest(test):
    """Marks a test that runs in a guest: it needs a device, or a part of Debian's kernel."""
    return _marked(test, GUEST)


def _marked(test, place):
    test.places = {place, *getattr(test, "places", ())}
    return test


def runs_in(place, name, test):
    """Whether a test is marked for a place. A test without a mark is an error, as it would run nowhere."""
    if not hasattr(test, "places"):
        raise ValueError(f"{name} has neither @in_container nor @in_guest")
    return place in test.places
