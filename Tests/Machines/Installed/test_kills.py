"""Both services under systemd, killed while something is pressed: every press counts once."""

import os
import signal
import subprocess

from evdev import ecodes as e

from kit import devices
from kit.chance import seeded
from kit.clicker import Clicker, clicker_process, events
from kit.configuration import GRABBED
from kit.kills import Killer, Service
from kit.machine import Installed, Override, catch_up, process, start_with, state, systemctl, use, values, wait_for
from kit.other import Other
from kit.places import in_container, in_guest
from kit.wait import becomes, equal, eventually

SERVICES = ["tallyd.service", "tally-inputd.service"]
# systemd starts the services again at once, however often they are killed.
PATIENT = ["[Service]", "RestartSec=20ms", "[Unit]", "StartLimitIntervalSec=0"]


@in_container
def test_killed_while_pressed(scene):
    """Either service or both are killed forty times while a pedal is pressed all the time: every press counts once."""
    killer = Killer(seeded(), Service(SERVICES[0], lambda: process(SERVICES[0])), Service(SERVICES[1], clicker_process))
    with Installed(), Override(SERVICES[0], *PATIENT), Clicker(*PATIENT) as clicker:
        clicker.counts(1)
        for number in range(40):
            # Every second time the services are killed while they start or catch up.
            if number % 2 == 0:
                clicker.counts(1)
            killer.strike(0.02)
        clicker.counts(1)
        clicker.all_counted()
        print(f"        {killer.summary}; {clicker.presses} presses", flush=True)


@in_guest
def test_killed_while_a_device_is_held(scene):
    """Either service or both are killed twelve times while a presenter is pressed that is taken for counting alone:
    every press counts once, and no other program hears one."""
    presenter = scene.presenter()
    other = Other(presenter)
    chance = seeded()
    killer = Killer(chance, *[Service(service, lambda service=service: process(service)) for service in SERVICES])
    made = 0

    def press(most):
        nonlocal made
        for _ in range(chance.randrange(most)):
            presenter.press()
            made += 1

    def counted():
        nonlocal made
        presenter.press()
        made += 1
        becomes(values, {"count": made}, "the presses that were counted")

    with Installed(), Override(SERVICES[0], *PATIENT), Override(SERVICES[1], *PATIENT):
        systemctl("restart", SERVICES[0])
        start_with(GRABBED)
        wait_for(presenter)
        eventually(lambda: other.is_shut_out, "the presenter is taken")
        victims = lambda: chance.sample(killer.choices * 2, 6)
        for pair in zip(victims(), victims()):
            # The kernel keeps sixteen presses; the second time the next process may not have come to them yet.
            counted()
            for chosen in pair:
                press(3)
                # Others while they start again.
                killer.strike(meanwhile=lambda: press(3), chosen=chosen)
        counted()
        counts = [event["value"] for event in events("added")]
        equal(counts, list(range(1, made + 1)), "the counts")
        equal(state(SERVICES[1], "NFileDescriptorStore"), "2", "the descriptors that systemd keeps")
        equal(other.keys, [], "what another program has heard")
        print(f"        {killer.summary}; {made} presses, {len(counts)} counted", flush=True)


@in_guest
def test_killed_without_having_read(scene):
    """What was pressed while a daemon hung that is then killed counts, and so does a tap that it had seen the beginning
    of."""
    presenter = scene.presenter()
    screen = scene.touchscreen()
    with Installed():
        use("touchscreens")
        wait_for(presenter)
        wait_for(screen)
        for made in (6, 12):
            pid = int(state(SERVICES[1], "MainPID"))
            screen.land(0.5, 0.5)
            os.kill(pid, signal.SIGSTOP)
            screen.lift()
            for _ in range(5):
                presenter.press()
            os.kill(pid, signal.SIGKILL)
            becomes(values, {"count": made}, "what was counted")


@in_guest
def test_killed_without_a_pause(scene):
    """A key that is held all the time keeps everything since from being forgotten: it counts once all the same."""
    presenter = scene.presenter()
    with Installed():
        wait_for(presenter)
        presenter.down(e.KEY_F5)
        made = 1
        for _ in range(2):
            for _ in range(5):
                for _ in range(8):
                    presenter.press()
                catch_up()
            made += 40
            becomes(values, {"count": made}, "what was counted")
            victim = state(SERVICES[1], "MainPID")
            os.kill(int(victim), signal.SIGKILL)
            presenter.press()
            made += 1
            eventually(lambda: state(SERVICES[1], "MainPID") not in ["0", victim], "another process has begun")
            becomes(values, {"count": made}, "what was counted")
        presenter.up(e.KEY_F5)
        presenter.press()
        becomes(values, {"count": made + 1}, "what was counted")


@in_guest
def test_given_back(scene):
    """A device that was taken for counting alone is everybody's again once the service is stopped, or is not to use it."""
    presenter = scene.presenter()
    other = Other(presenter)
    with Installed():
        start_with(GRABBED)
        eventually(lambda: other.is_shut_out, "the presenter is taken")
        systemctl("restart", SERVICES[1])
        wait_for(presenter)
        equal(other.is_shut_out, True, "whether it is taken over a restart")
        start_with('[[device]]\nid = "046d:c52d"\nignore = true\n')
        eventually(lambda: not other.is_shut_out, "the presenter is given back")
        start_with(GRABBED)
        eventually(lambda: other.is_shut_out, "the presenter is taken")
        systemctl("stop", SERVICES[1])
        eventually(lambda: not other.is_shut_out, "the presenter is given back")


@in_guest
def test_plugging_under_systemd(scene):
    """Cycles of plugging leave nothing in systemd's store of descriptors, and a restart loses no press."""
    stored = lambda: state(SERVICES[1], "NFileDescriptorStore")
    with Installed():
        for _ in range(3):
            presenter = devices.presenter()
            wait_for(presenter)
            becomes(stored, "2", "what systemd keeps")
            presenter.close()
            becomes(stored, "0", "what systemd keeps")
        presenter = scene.presenter()
        wait_for(presenter)
        restart = subprocess.Popen(["systemctl", "restart", SERVICES[1]])
        # The kernel keeps sixteen, if the next process does not come to them before.
        for _ in range(12):
            presenter.press()
        equal(restart.wait(60), 0, "the end of the restart")
        becomes(values, {"count": 12}, "the presses that were counted")
