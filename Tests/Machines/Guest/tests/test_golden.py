"""The golden files of the recognisers, through the kernel and the real daemon."""

import time

from kit import golden
from kit.wait import eventually


def test_golden_files(scene):
    """What the golden files expect is counted, with the gesture as its cause, by the real daemon."""
    files = golden.files()
    assert len(files) > 40, f"there are only {len(files)} golden files"
    devices = [scene.keep(file.plug()) for file in files]
    scene.start(*devices, configuration="\n".join(file.configuration() for file in files))
    for file in files:
        scene.core.call("Create", name=file.name)
    for file in files:
        file.play()
    expected = {file.device_name: file.causes() for file in files}
    found = {}

    def complete():
        found.clear()
        found.update({name: [] for name in expected})
        for event in scene.core.counts():
            # Everything adds; what takes off takes back.
            if event["change"] > 0:
                # The golden files name no keys.
                kind = event["cause"]["gesture"].split()[0]
                found[event["cause"]["device"]].append((kind, event["change"]))
        return all(len(found[name]) >= len(expected[name]) for name in expected)

    try:
        eventually(complete, "everything is counted")
    except AssertionError:
        pass  # What is missing is told below.
    # Nothing more may come of it.
    time.sleep(1)
    complete()
    wrong = [
        f"{name}: expected {expected[name]}, found {found[name]}" for name in expected if found[name] != expected[name]]
    for file in files:
        if scene.core.value(file.name) != file.value():
            wrong.append(f"{file.name}: {file.value()} is to be left, and {scene.core.value(file.name)} is")
    assert not wrong, f"{len(wrong)} of {len(files)}:\n" + "\n".join(wrong)
