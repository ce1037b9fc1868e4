"""TLS between bridge and broker."""

import socket
from pathlib import Path

from kit.broker import certificates, sign
from kit.wait import PATIENCE, equal, eventually


def trust(core, folder):
    """The station trusts the authority of the test."""
    core.settings["authorities"] = (folder / "ca.pem").read_text()


def listener(folder, *more):
    return [f"cafile {folder}/ca.pem", f"certfile {folder}/broker.pem", f"keyfile {folder}/broker.key", *more]


def test_authority(stage):
    """The broker's certificate must be vouched for."""
    files = certificates(stage.folder / "tls")
    broker = stage.start_broker(listener=listener(files))
    core = stage.fake_core(f"mqtts://localhost:{broker.port}")
    bridge = stage.lone_bridge()
    core.says("is signed by an authority that this station does not know. Give it that authority's certificate: tally fleet join --ca-file")
    trust(core, files)
    core.tell(**core.settings)
    core.is_connected()
    broker.kill()
    core.says("cannot be reached: Connection refused")
    # A port that nobody listens at says nothing about the version of the protocol.
    stage.clock.sleep(10)
    broker.start()
    core.is_connected()
    equal("by MQTT 3.1.1" in bridge.said, False, "whether the older version is used")


def has_sent_a_request(port):
    """Whether a connection to a port of this machine waits for the reply to its first packet, by /proc/net/tcp."""
    return any(line.split()[2:4] == [f"0100007F:{port:04X}", "02"] for line in Path("/proc/net/tcp").read_text().splitlines())


def test_late_acceptance(stage):
    """TLS begins also with a server that accepts the connection late."""
    files = certificates(stage.folder / "tls")
    # The kernel drops further connections while one waits to be accepted; the bridge's kernel, for which time does not stand
    # still, tries again after 1 s.
    with (socket.create_server(("127.0.0.1", 0), backlog=0) as server, socket.create_connection(server.getsockname()),
          stage.clock.stopped()):
        port = server.getsockname()[1]
        trust(stage.fake_core(f"mqtts://localhost:{port}"), files)
        stage.lone_bridge()
        eventually(lambda: has_sent_a_request(port), "the bridge wants to connect")
        server.accept()[0].close()
        server.settimeout(PATIENCE)
        with server.accept()[0] as connection:
            connection.settimeout(PATIENCE)
            equal(connection.recv(3), b"\x16\x03\x01", "the start of the handshake")


def test_client_certificate(stage):
    """A broker that wants a certificate of the station gets one, and refuses a station without."""
    files = certificates(stage.folder / "tls")
    broker = stage.start_broker(
        "allow_anonymous false", listener=listener(files, "require_certificate true", "use_identity_as_username true"))
    core = stage.fake_core(f"mqtts://127.0.0.1:{broker.port}")
    trust(core, files)
    bridge = stage.lone_bridge()
    core.says(f"The broker at 127.0.0.1:{broker.port} wants a certificate of this station. Start tally-mqttd with --cert and --key.")
    equal(core.report[0], False, "whether it is connected")
    bridge.kill()
    bridge.command += ["--cert", files / "door1.pem", "--key", files / "door1.key"]
    bridge.start()
    core.is_connected()


def test_reasons(stage):
    """An expired certificate, one for another name, and a port without TLS are sentences."""
    files = certificates(stage.folder / "tls")
    # A certificate that ends before it begins has expired, too.
    sign(files, "broker", "localhost", "-days", "-1")
    broker = stage.start_broker(listener=listener(files))
    core = stage.fake_core(f"mqtts://localhost:{broker.port}")
    trust(core, files)
    bridge = stage.lone_bridge()
    core.says(f"The certificate of the broker at localhost:{broker.port} has expired. Renew it on the broker")
    sign(files, "broker", "elsewhere", "-days", "2")
    broker.end()
    broker.start()
    bridge.end()
    bridge.start()
    core.says(f"The certificate of the broker at localhost:{broker.port} is not for the name localhost.")
    plain = stage.start_broker()
    core.settings["broker"] = f"mqtts://localhost:{plain.port}"
    core.tell(**core.settings)
    core.says(f"The server at localhost:{plain.port} closed the connection before TLS began.")
