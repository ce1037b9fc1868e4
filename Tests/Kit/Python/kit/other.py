"""Another program that has an input device open."""

from evdev import InputDevice, ecodes as e


class Other(InputDevice):
    def __init__(self, device):
        super().__init__(device.node)

    @property
    def keys(self):
        """What it has received of the keys since it was last asked."""
        try:
            return [(event.code, event.value) for event in self.read() if event.type == e.EV_KEY]
        except BlockingIOError:
            return []

    @property
    def is_shut_out(self):
        """Whether some program has the device for itself alone."""
        try:
            self.grab()
        except OSError:
            return True
        self.ungrab()
        return False
