"""Configurations of the gesture daemon, as a person would write them."""


def presses(device, settings="", **actions):
    """What the presses of a device's keys do; `device` is the line that names it, and KEY_ANY stands for all keys."""
    lines = ["[[device]]", device, settings]
    for key, action in actions.items():
        lines += ["[[device.bind]]", 'gesture = "press"', f'do = "{action}"']
        if key != "KEY_ANY":
            lines.append(f'key = "{key}"')
    return "\n".join(lines) + "\n"
