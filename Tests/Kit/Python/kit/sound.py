"""Hears what programs play: ALSA's loopback card, whose other end records."""

import array
import ctypes
import subprocess
import threading
from pathlib import Path

from kit.wait import PATIENCE, eventually

RATE = 48_000
CONFIGURATION = Path("/etc/asound.conf")

# alsa/pcm.h
CAPTURE, INTERLEAVED, SIGNED_16 = 1, 3, 2


class Ear:
    """Listens until it is closed. The loopback card is what programs find as their sound device meanwhile."""

    def __init__(self):
        subprocess.run(["modprobe", "snd-aloop", "id=Loopback"], check=True)
        eventually(Path("/dev/snd/controlC0").exists, "there is a sound card")
        CONFIGURATION.write_text('pcm.!default { type plug slave { pcm "hw:Loopback,0" rate 48000 channels 1 } }\n')
        self.alsa = ctypes.CDLL("libasound.so.2")
        self.pcm = ctypes.c_void_p()
        self._call("open", ctypes.byref(self.pcm), b"hw:Loopback,1", CAPTURE, 0)
        self._call("set_params", self.pcm, SIGNED_16, INTERLEAVED, 1, RATE, 0, 500_000)
        self._call("start", self.pcm)
        self.samples = array.array("h")
        self.ended = False
        self.thread = threading.Thread(target=self._listen, daemon=True)
        self.thread.start()

    def _call(self, name, *arguments):
        function = getattr(self.alsa, f"snd_pcm_{name}")
        function.restype = ctypes.c_long
        result = function(*arguments)
        if result < 0:
            raise OSError(-result, f"snd_pcm_{name}")
        return result

    def _listen(self):
        piece = array.array("h", bytes(2 * RATE // 50))
        address = ctypes.c_void_p(piece.buffer_info()[0])
        while not self.ended:
            try:
                count = self._call("readi", self.pcm, address, ctypes.c_ulong(len(piece)))
                self.samples.extend(piece[:count])
            except OSError as error:
                self._call("recover", self.pcm, -error.errno, 1)
                self._call("start", self.pcm)

    def forget(self):
        """Begins anew: to go through all that was heard takes the longer the more that is."""
        self.samples = array.array("h")

    def sounds(self):
        """Every sound since `forget` as its pitch in hertz, told by the silence between them, at least 50 ms."""
        sounds, loud, quiet = [], [], RATE
        for sample in list(self.samples):
            if abs(sample) > 200:
                quiet = 0
            quiet += 1
            if quiet < RATE // 20:
                loud.append(sample)
            elif loud:
                sounds.append(_pitch(loud))
                loud = []
        return sounds

    def close(self):
        self.ended = True
        self.thread.join(PATIENCE)
        self.alsa.snd_pcm_close(self.pcm)
        CONFIGURATION.unlink()
        removal = ["modprobe", "--quiet", "-r", "snd-aloop"]
        # Whoever played lets the card go after a while of silence.
        eventually(lambda: subprocess.run(removal).returncode == 0, "nobody has the sound card")


def _pitch(samples):
    """How often in a second the wave rises through nothing, while it is loudest."""
    top = max(range(len(samples)), key=lambda place: abs(samples[place]))
    part = samples[max(0, top - RATE // 100) : top + RATE // 50]
    rises = [place for place in range(1, len(part)) if part[place - 1] < 0 <= part[place]]
    return (len(rises) - 1) * RATE / (rises[-1] - rises[0]) if len(rises) > 1 else 0
