"""Configurations of the gesture daemon, as a person would write them."""


def presses(device, settings="", **actions):
    """What the presses of a device's keys do; `device` is the line that names it, and KEY_ANY stands for all keys."""
    lines = ["[[device]]", device, settings]
    for key, action in actions.items():
        lines += ["[[device.bind]]", 'gesture = "press"', f'do = "{action}"']
        if key != "KEY_ANY":
            lines.append(f'key = "{key}"')
    return "\n".join(lines) + "\n"


# Adds one for each shake of a motion sensor.
SHAKE = '[[bind]]\ngesture = "shake"\ndo = "add"\n'

# Takes the presenter for counting alone.
GRABBED = '[[device]]\nid = "046d:c52d"\ngrab = true\n'

# A person's word for devices that are not used without it: touchscreens, and a pedal that can type letters.
TOUCHSCREENS = "[touchscreens]\nuse = true\n"
PEDAL = '[[device]]\nname = "RDing FootSwitch1F1."\n'


def named(configuration):
    """The configuration with touchscreens and the pedal named, where it says nothing of them."""
    for device, words in [(TOUCHSCREENS, ["[touchscreens]"]), (PEDAL, ["FootSwitch", "0c45:7403"])]:
        if not any(word in configuration for word in words):
            configuration += ("" if configuration.endswith("\n") else "\n") + device
    return configuration
