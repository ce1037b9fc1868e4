"""The servers that are measured: started, asked, looked at, and ended whatever happens."""

import ctypes
import os
import shutil
import signal
import socket
import subprocess
import time


class Failure(Exception):
    """A sentence for the person who must act."""


def end_with_parent():
    # Even a benchmark that is killed leaves no server behind.
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    # Ctrl-C is the benchmark's affair; it ends the servers in order.
    signal.signal(signal.SIGINT, signal.SIG_IGN)


class Server:
    """A process that serves on a socket; every one that is in `running` is ended at the latest with the benchmark."""

    running = []
    # Seconds that it may take to start.
    patience = 20

    def __init__(self, folder, command, environment=None):
        os.makedirs(folder, exist_ok=True)
        self.folder = folder
        self.log = os.path.join(folder, "log")
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, preexec_fn=end_with_parent,
                env={**os.environ, **(environment or {})})
        Server.running.append(self)

    def end(self):
        if self in Server.running:
            Server.running.remove(self)
            self.process.terminate()
            try:
                self.process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def connect(self):
        """A connection, as soon as the server takes one."""
        end = time.monotonic() + self.patience
        while True:
            connection = socket.socket(socket.AF_UNIX)
            try:
                connection.connect(self.socket)
                return connection
            except (FileNotFoundError, ConnectionRefusedError):
                connection.close()
            if self.process.poll() is not None or time.monotonic() > end:
                with open(self.log, errors="replace") as log:
                    raise Failure("%s did not start:\n%s" % (self.process.args[0], log.read()[-2000:]))
            time.sleep(0.01)

    def memory(self):
        """PSS and RSS in kB."""
        with open("/proc/%d/smaps_rollup" % self.process.pid) as lines:
            sizes = dict(line.split()[:2] for line in lines if line.startswith(("Pss:", "Rss:")))
        return int(sizes["Pss:"]), int(sizes["Rss:"])

    def switches(self):
        """How often its threads were woken or put aside so far."""
        total = 0
        for thread in os.listdir("/proc/%d/task" % self.process.pid):
            with open("/proc/%d/task/%s/status" % (self.process.pid, thread)) as lines:
                total += sum(int(line.split()[1]) for line in lines if "ctxt_switches" in line)
        return total


def request(method, parameters):
    return '{"method":"org.tallymark.Counters.%s","parameters":%s}' % (method, parameters)


class Tallyd(Server):
    """The counter core on a state of its own, with one counter."""

    add = request("Add", '{"counter":"people"}')
    get = question = request("Get", '{"counter":"people"}')
    page = request("History", '{"limit":100}')

    def __init__(self, program, folder, patience=20):
        self.patience = patience
        self.socket = os.path.join(folder, "socket")
        self.command = [program, "--socket", self.socket, "--state", os.path.join(folder, "state")]
        super().__init__(folder, self.command)
        self.connection = self.connect()
        if b'"counters":[]' in self.ask(request("List", "{}")):
            self.ask(request("Create", '{"name":"people"}'))

    def ask(self, message):
        self.connection.sendall(message.encode() + b"\0")
        reply = b""
        while not reply.endswith(b"\0"):
            reply += self.connection.recv(1 << 16)
        if reply.startswith(b'{"error"'):
            raise Failure("tallyd refused %s: %s" % (message, reply.decode()))
        return reply

    @staticmethod
    def day():
        """What asks for the totals of all counters in the last 24 hours, by the hour."""
        hour = 3600 * 1_000_000
        last = (int(time.time()) // 3600 + 1) * hour
        return request("Totals", '{"bounds":%s}' % list(range(last - 24 * hour, last + 1, hour)))

    def value(self):
        return int(self.ask(self.get).split(b'"value":')[1].split(b",")[0])

    def fill(self, events, progress):
        """Records `events` adds as deliveries of 100, without waiting for each one's answer."""
        epoch = int(self.ask(request("Open", '{"producer":"benchmark"}')).split(b'"epoch":')[1].split(b"}")[0].split(b",")[0])
        change = '{"verb":"add","counter":"people","device":"pedal","gesture":"press"}'
        changes = "[%s]" % ",".join([change] * 100)
        deliveries, sent, answered = events // 100, 0, 0
        while answered < deliveries:
            while sent < deliveries and sent - answered < 32:
                sent += 1
                self.connection.sendall(request(
                    "Deliver", '{"producer":"benchmark","epoch":%d,"sequence":%d,"changes":%s}' % (
                        epoch, sent, changes)).encode() + b"\0")
            reply = self.connection.recv(1 << 20)
            if not reply or b'"error"' in reply:
                raise Failure("tallyd refused a delivery: %r" % reply[-200:])
            answered += reply.count(b"\0")
            progress(answered * 100)


class Redis(Server):
    """Redis as durable as it can be: every change is on disk before it is answered."""

    question = "PING\r\n"

    def __init__(self, folder):
        self.socket = os.path.join(folder, "socket")
        self.command = [
            "redis-server", "--port", "0", "--dir", folder, "--unixsocket", "socket", "--appendonly", "yes",
            "--appendfsync", "always", "--save", ""]
        super().__init__(folder, self.command)
        with self.connect() as connection:
            # What redis-benchmark -t get asks for; without it Redis would answer that there is nothing.
            connection.sendall(b"SET key:__rand_int__ 123456\r\n")
            connection.recv(100)


class Floor(Server):
    """A program that answers with a fixed text, and with a file writes over it before: what any server needs for that."""

    def __init__(self, program, folder, *files):
        self.socket = os.path.join(folder, "socket")
        super().__init__(folder, [program, self.socket, *(os.path.join(folder, name) for name in files)])
        self.connect().close()


class Inputd(Server):
    """The gesture daemon, with whatever devices this machine has, and a configuration that names none."""

    def __init__(self, program, folder, core):
        self.socket = core.socket
        os.makedirs(folder, exist_ok=True)
        config = os.path.join(folder, "input.toml")
        open(config, "w").close()
        super().__init__(folder, [program, "--config", config], {"TALLYMARK_SOCKET": core.socket})


def clear(folder):
    """An empty folder; sockets need a short path, so it is given relative to the present one."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    return os.path.relpath(folder)
