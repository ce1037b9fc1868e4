"""The configuration, changed while the gesture daemon runs."""

import os
import signal
import time

from evdev import ecodes as e

from kit.configuration import named, presses
from kit.devices import UNBOUNCED
from kit.other import Other
from kit.wait import equal, eventually


def adds(amount=1, settings=""):
    return presses('id = "046d:c52d"', settings, KEY_PAGEDOWN=f"add {amount}")


def adding(scene, amount=1):
    """A presenter that the daemon uses, and a press of which adds the amount."""
    presenter = scene.presenter()
    scene.start(presenter, configuration=adds(amount))
    return presenter


def press(scene, presenter, total):
    """Presses once, after which so much is counted."""
    presenter.press()
    scene.counts_to(total)


def said(scene, words):
    """Whether the daemon has written some words since the last time it was asked to forget."""
    return words in scene.daemon.log.read_text()[getattr(scene, "heard", 0) :]


def forget(scene):
    scene.heard = len(scene.daemon.log.read_text())


def replace(file, text):
    """Puts a new file in the place of one: nobody who reads it meanwhile finds it empty."""
    new = file.with_suffix(".new")
    new.write_text(text)
    new.rename(file)


def overwrite(file, text):
    """Writes into the file itself a text that is no shorter, so that it is at no moment something else."""
    assert len(text) >= file.stat().st_size
    with file.open("r+") as opened:
        opened.write(text)


def save(scene, text, words="is in force", write=replace):
    """Writes the configuration and waits until the daemon has said something about it."""
    forget(scene)
    write(scene.daemon.configuration, named(text))
    eventually(lambda: said(scene, words) and scene.daemon.is_idle, f"the daemon says “{words}”")


def test_saved(scene):
    """What is saved in place applies at once, and what was counted before stays counted."""
    presenter = adding(scene)
    press(scene, presenter, 1)
    save(scene, adds(10), write=overwrite)
    press(scene, presenter, 11)


def test_replaced_by_an_editor(scene):
    """An editor that renames a new file over the former one is followed, also when it keeps the former one."""
    presenter = adding(scene)
    file = scene.daemon.configuration
    for amount, keeps in [(10, False), (100, True)]:
        forget(scene)
        if keeps:
            file.rename(file.with_suffix(".toml~"))
        replace(file, adds(amount))
        eventually(lambda: said(scene, "is in force"), "the daemon has taken it over")
        press(scene, presenter, amount if amount == 10 else 110)


def test_wrong(scene):
    """A wrong configuration changes nothing: each error is said with its line, and that the former one stays."""
    presenter = adding(scene)
    save(scene, '[[bind]]\ngesture = "swipe-dwon"\ndo = "ad"\n', words="stays in force")
    for words in [f"{scene.daemon.configuration}:2", 'did you mean "swipe-down"', f"{scene.daemon.configuration}:3"]:
        equal(said(scene, words), True, f"whether it said {words}")
    press(scene, presenter, 1)
    save(scene, adds(10))
    press(scene, presenter, 11)


def test_gone_and_back(scene):
    """Without its file the former configuration stays in force; when the file is back it applies."""
    presenter = adding(scene, 10)
    forget(scene)
    scene.daemon.configuration.unlink()
    eventually(lambda: said(scene, "stays in force"), "the daemon says what stays")
    press(scene, presenter, 10)
    save(scene, adds())
    press(scene, presenter, 11)


def test_asked_to_reload(scene):
    """SIGHUP reads the configuration again and is answered even if nothing has changed."""
    presenter = scene.presenter()
    scene.start(presenter)
    forget(scene)
    os.kill(scene.daemon.pid, signal.SIGHUP)
    eventually(lambda: said(scene, "is in force"), "the daemon answers")
    press(scene, presenter, 1)


def test_touch_in_flight(scene):
    """A finger that is down while the configuration changes counts once, by the new one; a held key is not pressed."""
    presenter, screen = scene.presenter(), scene.touchscreen()
    scene.start(presenter, screen)
    presenter.down(e.KEY_PAGEDOWN)
    scene.counts_to(1)
    screen.land(0.5, 0.2)
    scene.daemon.catch_up()
    save(scene, '[[bind]]\ngesture = "swipe-down"\ndo = "add 10"\n')
    for y in (0.4, 0.6, 0.8):
        screen.move(0.5, y)
    screen.lift()
    presenter.up(e.KEY_PAGEDOWN)
    time.sleep(UNBOUNCED)
    scene.counts_to(11)
    press(scene, presenter, 12)
    equal(len(scene.core.counts()), 3, "the number of counts")


def test_devices_come_and_go_with_their_names(scene):
    """A device that is named from now on is opened, and one that is not any more is closed; others stay open."""
    keyboard, presenter = scene.keyboard(), scene.presenter()
    scene.start(presenter)
    equal(scene.daemon.has_opened(keyboard), False, "whether the keyboard is open at first")
    forget(scene)
    scene.daemon.configuration.write_text('[[device]]\nname = "Plain Keyboard"\n')
    eventually(lambda: said(scene, "is in force"), "the daemon says that it is")
    equal(scene.daemon.has_opened(keyboard), True, "whether the keyboard is open as soon as that is said")
    keyboard.press(e.KEY_F12)
    press(scene, presenter, 2)
    save(scene, "")
    eventually(lambda: not scene.daemon.has_opened(keyboard), "the keyboard is closed")
    press(scene, presenter, 3)


def test_grab_comes_and_goes(scene):
    """A device is taken and let go as the configuration says, without being closed."""
    presenter = adding(scene)
    other = Other(presenter)
    heard = []
    for count, grab in enumerate(["false", "true", "false"], 1):
        if count > 1:
            save(scene, adds(settings=f"grab = {grab}"))
        press(scene, presenter, count)
        heard.append(bool(other.keys))
    equal(heard, [True, False, True], "what another program has heard")


TAPS = """
    {0}
    [[device]]
    name = "Plain Touchscreen"
    {1}
      [[device.bind]]
      gesture = "double-tap"
      do = "add 100"
      {2}
      [[device.bind]]
      gesture = "tap"
      do = "add"
"""


def test_waiting_tap_of_a_device_not_used_any_more(scene):
    """A tap that waits whether it is a double-tap counts when the device is not used any more, or the daemon ends."""
    screen = scene.touchscreen()
    scene.core.start()
    ignoring = '[[device]]\nname = "Plain Touchscreen"\nignore = true\n'
    for count, finish in enumerate([lambda: save(scene, ignoring, "not in use any more"), scene.daemon.stop], 1):
        scene.daemon.start(TAPS.format("[timing]\ndouble-tap = 2", "", ""))
        scene.daemon.use(screen)
        screen.tap()
        scene.daemon.catch_up()
        finish()
        scene.counts_to(count)
        scene.daemon.stop()


def test_timing_follows_the_file(scene):
    """An interval that is saved applies at once, on each level: for all devices, for one, and for one binding."""
    screen = scene.touchscreen()
    scene.start(screen)
    total = 0
    wide, narrow = "double-tap = 2", "double-tap = 0.1"
    for levels, gain in [
        (("[timing]\n" + wide, "", ""), 100), (("[timing]\n" + narrow, "", ""), 2),
        (("[timing]\n" + narrow, wide, ""), 100),
        (("[timing]\n" + wide, wide, narrow), 2), (("[timing]\n" + narrow, narrow, wide), 100),
    ]:
        save(scene, TAPS.format(*levels))
        for _ in range(2):
            screen.tap()
            time.sleep(0.2)
        total += gain
        scene.counts_to(total)
    save(scene, TAPS.format("[timing]\ndouble-tap = 3", "", ""), words="stays in force")
    equal(said(scene, "must be 0.1 to 2 seconds"), True, "whether it says what can be set")
