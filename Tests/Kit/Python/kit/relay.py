"""Stands between the gesture daemon and the core, and notes when each delivery was acknowledged."""

import socket
import threading
import time


class Relay:
    """Passes on what both say. `acknowledgements` has the time (nanoseconds of CLOCK_MONOTONIC) of each answer to a
    delivery, just before it is passed on."""

    def __init__(self, path, core):
        self.socket = path
        self.core = core
        self.acknowledgements = []
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.listener.bind(str(path))
        self.listener.listen()
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            core = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            core.connect(str(self.core.socket))
            threading.Thread(target=self._pass, args=(client, core, False), daemon=True).start()
            threading.Thread(target=self._pass, args=(core, client, True), daemon=True).start()

    def _pass(self, source, target, answers):
        try:
            while data := source.recv(65536):
                if answers and b'"duplicate"' in data:
                    self.acknowledgements.append(time.clock_gettime_ns(time.CLOCK_MONOTONIC))
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def close(self):
        self.listener.close()
