"""Debian's mosquitto on loopback, and paho as a client of others."""

import getpass
import re
import signal
import socket
import subprocess
import threading
import time

import paho.mqtt.client as paho
from kit.process import Listener, free_port
from kit.relay import Relay
from kit.wait import PATIENCE, eventually


class Broker(Listener):
    """A broker that can be killed, emptied and set back. It stores retained messages when it ends, and when it is told to."""

    def __init__(self, folder, *settings, listener=(), environment=None):
        self.folder, port = folder, free_port()
        folder.mkdir(exist_ok=True)
        lines = [
            "per_listener_settings false", f"user {getpass.getuser()}", "persistence true", f"persistence_location {folder}/",
            "log_type error", "log_type warning", "log_type notice", "log_dest stderr", f"listener {port} 127.0.0.1", *listener,
            *(settings or ["allow_anonymous true"])]
        configuration = folder / "mosquitto.conf"
        configuration.write_text("\n".join(lines) + "\n")
        super().__init__(folder, ["/usr/sbin/mosquitto", "-c", configuration], port, environment)

    def reload(self):
        """Has it read passwords and rights again."""
        self.send(signal.SIGHUP)

    def store(self):
        """Has it store now; returns the file's content."""
        path = self.folder / "mosquitto.db"
        path.unlink(missing_ok=True)
        self.send(signal.SIGUSR1)
        # It writes another file, and renames that.
        eventually(path.exists, "the broker has stored")
        return path.read_bytes()

    def put_back(self, content):
        (self.folder / "mosquitto.db").write_bytes(content)

    def empty(self):
        (self.folder / "mosquitto.db").unlink(missing_ok=True)


class Stranger:
    """A client that is none of ours: PyPI's paho, which collects what it hears."""

    def __init__(self, port, *filters, version=paho.MQTTv5, user=None, password=None):
        self.heard, self.retained, self.lock = [], {}, threading.Lock()
        self.client = paho.Client(paho.CallbackAPIVersion.VERSION2, protocol=version)
        if user:
            self.client.username_pw_set(user, password)
        joined = threading.Event()
        self.client.on_message = self._hear
        # Also after the broker was away.
        self.client.on_connect = lambda client, *_: filters and client.subscribe([(filter, 1) for filter in filters])
        self.client.on_subscribe = lambda *_: joined.set()
        # The longest keepalive: the broker's time may go faster.
        self.client.connect("127.0.0.1", port, keepalive=65_535)
        self.client.loop_start()
        assert not filters or joined.wait(PATIENCE)

    def _hear(self, _client, _data, message):
        with self.lock:
            self.heard.append((message.topic, message.payload.decode(errors="replace"), message.retain))
            self.retained[message.topic] = message.payload.decode(errors="replace")

    def last(self, topic):
        """The last message of a topic."""
        with self.lock:
            return self.retained.get(topic)

    def payloads(self, topic):
        """All messages of a topic."""
        with self.lock:
            return [payload for heard, payload, _ in self.heard if heard == topic]

    def topics(self, pattern):
        with self.lock:
            return sorted(topic for topic in self.retained if re.search(pattern, topic))

    def count(self, topic):
        with self.lock:
            return sum(heard == topic for heard, _, _ in self.heard)

    def say(self, topic, payload, retain=False, qos=1):
        self.client.publish(topic, payload, qos, retain).wait_for_publish(PATIENCE)

    def close(self):
        self.client.disconnect()
        self.client.loop_stop()


class Proxy(Relay):
    """Passes connections on to a broker, until they are cut, stalled or delayed.

    `refuses_5` answers connections of MQTT 5, as brokers do that know 3.1.1 only."""

    def __init__(self, target, refuses_5=None):
        self.refuses_5 = refuses_5
        self.flows = threading.Event()
        self.flows.set()
        self.is_cut = False
        # Seconds by which each piece is late.
        self.delay = 0
        # What becomes of each piece from the broker.
        self.edit_answer = lambda data: data
        super().__init__(target)

    def _serve(self, client, cuts):
        if self.is_cut:
            return client.close()
        if self.refuses_5 is not None and b"MQTT\x05" in client.recv(16, socket.MSG_PEEK):
            # A connection that is closed with something unread is reset, and its last bytes are lost.
            client.recv(4096)
            client.sendall(self.refuses_5)
            return client.close()
        super()._serve(client, cuts)

    def edit(self, data, is_answer):
        if self.delay:
            time.sleep(self.delay)
        self.flows.wait()
        return self.edit_answer(data) if is_answer else data

    def cut(self):
        """Ends all connections and accepts no others."""
        self.is_cut = True
        super().cut()

    def heal(self):
        self.is_cut, self.delay = False, 0
        self.flows.set()

    def stall(self):
        """Passes nothing on any more, and says so to nobody."""
        self.flows.clear()

    def close(self):
        self.flows.set()
        super().close()


# On a curve: it takes no time to make.
NEW_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]


def openssl(folder, *words):
    subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)


def sign(folder, name, host, *options):
    """Has the authority of a folder make a key and a certificate of that name for a host."""
    openssl(folder, "req", *NEW_KEY, "-nodes", "-subj", f"/CN={name}", "-keyout", f"{name}.key", "-out", f"{name}.csr",
            "-addext", f"subjectAltName=DNS:{host}" + (",IP:127.0.0.1" if host == "localhost" else ""))
    openssl(folder, "x509", "-req", "-in", f"{name}.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", *options,
            "-copy_extensions", "copyall", "-out", f"{name}.pem")


def certificates(folder):
    """An authority, and certificates for the broker on loopback and for a client of the name door1."""
    folder.mkdir()
    openssl(folder, "req", "-x509", *NEW_KEY, "-nodes", "-days", "2", "-subj", "/CN=authority", "-keyout", "ca.key",
            "-out", "ca.pem")
    for name in ("broker", "door1"):
        sign(folder, name, "localhost", "-days", "2")
    return folder
