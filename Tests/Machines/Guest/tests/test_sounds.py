"""The sounds that answer a gesture, through ALSA, and what it may lack."""

import os
import time
from pathlib import Path

from evdev import ecodes as e

from kit.feedback import PAD, Answering, pad
from kit.sound import CONFIGURATION, Ear
from kit.wait import becomes, equal, eventually


def test_sounds(scene):
    """Clicks, thuds and chimes are heard through ALSA, each as the rule has it; in silence the card is let go."""
    keys = scene.keep(Answering("Pad"))
    ear = scene.keep(Ear())
    scene.start(keys, configuration=PAD + """
        [[feedback]]
        on = "added"
        sound = "click"
        [[feedback]]
        on = "subtracted"
        sound = "thud"
        [[feedback]]
        on = "refused"
        sound = "chime"
    """)

    for key, low, high in ((e.BTN_SOUTH, 1500, 2100), (e.BTN_EAST, 80, 240), (e.BTN_SOUTH, 1500, 2100)):
        def is_heard():
            # A slow machine serves the card late, and gaps tear a sound into pieces of no pitch: then once more.
            ear.forget()
            keys.press(key)
            eventually(ear.sounds, "something is heard")
            time.sleep(0.3)
            return any(low < pitch < high for pitch in ear.sounds())

        eventually(is_heard, f"a sound between {low} and {high} Hz is heard")
    eventually(
        lambda: Path("/proc/asound/Loopback/pcm0p/sub0/status").read_text() == "closed\n", "the card is let go")


def test_no_sound_card(scene):
    """Without a sound card counts are counted, and the lack is said once."""
    keys = scene.keep(Answering("Pad"))
    scene.start(keys, configuration=PAD + '[[feedback]]\non = "added"\nsound = "click"\n')
    for number in range(1, 6):
        keys.press()
        scene.counts_to(number)
    becomes(lambda: scene.daemon.log.read_text().count("Sounds are not heard"), 1, "how often it is said")


def test_no_sound_library(scene):
    """Without ALSA's library, which is only recommended, counts are counted, and what mends it is said once."""
    library = next(Path("/usr/lib").glob("*/libasound.so.2"))
    library.rename(library.with_suffix(".away"))
    try:
        keys = scene.keep(Answering("Pad"))
        scene.start(keys, configuration=PAD + '[[feedback]]\non = "added"\nsound = "click"\n')
        for number in range(1, 4):
            keys.press()
            scene.counts_to(number)
        becomes(lambda: scene.daemon.log.read_text().count("apt-get install libasound2"), 1, "how often it is said")
    finally:
        library.with_suffix(".away").rename(library)


def test_hung_sound_server(scene):
    """A sound server that never answers holds up no count, and no end."""
    # Opening the sound device waits for somebody to read from this pipe.
    pipe = scene.folder / "pipe"
    os.mkfifo(pipe)
    CONFIGURATION.write_text(f'pcm.!default {{ type file file "{pipe}" slave.pcm null }}\n')
    try:
        keys = pad(scene)
        scene.start(keys, configuration=PAD + '[[feedback]]\non = "added"\nsound = "click"\n')
        keys.is_taught()
        for number in range(1, 31):
            keys.press()
            scene.counts_to(number)
        becomes(lambda: bool(keys.pulses), True, "whether the motor answers meanwhile")
        started = time.monotonic()
        scene.daemon.stop()
        equal(time.monotonic() - started < 20, True, "whether it ended by itself")
    finally:
        CONFIGURATION.unlink()
