"""TLS between bridge and broker."""

import socket
import time

from kit.broker import certificates, sign
from kit.wait import equal


def listener(folder, *more):
    return [f"cafile {folder}/ca.pem", f"certfile {folder}/broker.pem", f"keyfile {folder}/broker.key", *more]


def test_authority(stage):
    """The broker's certificate must be vouched for; the memory with TLS is 10 MB at most."""
    files = certificates(stage.folder / "tls")
    broker = stage.start_broker(listener=listener(files))
    core = stage.fake_core(f"mqtts://localhost:{broker.port}")
    bridge = stage.lone_bridge()
    core.says("is signed by an authority that this station does not know. Start tally-mqttd with --ca-file")
    bridge.kill()
    bridge.command += ["--ca-file", files / "ca.pem"]
    bridge.start()
    core.is_connected()
    broker.kill()
    core.says("localhost")
    equal("TLS" in core.report[1], False, f"whether {core.report[1]} takes a broker that is gone for a fault of TLS")
    broker.start()
    begun = time.monotonic()
    core.is_connected()
    print(f"        connected again after {time.monotonic() - begun:.1f} s", flush=True)
    print(f"        with TLS: {bridge.written / 1024:.1f} MiB written, PSS {bridge.memory / 1024:.1f} MiB", flush=True)
    equal(bridge.written <= 10_000, True, f"whether {bridge.written} KiB is not too much")


def test_late_acceptance(stage):
    """TLS begins also with a server that accepts the connection late."""
    files = certificates(stage.folder / "tls")
    # The kernel drops further connections while one waits to be accepted; the bridge's kernel tries again after 1 s.
    with socket.create_server(("127.0.0.1", 0), backlog=0) as server, socket.create_connection(server.getsockname()):
        stage.fake_core(f"mqtts://localhost:{server.getsockname()[1]}")
        stage.lone_bridge("--ca-file", files / "ca.pem")
        time.sleep(0.5)
        server.accept()[0].close()
        server.settimeout(10)
        with server.accept()[0] as connection:
            connection.settimeout(5)
            equal(connection.recv(3), b"\x16\x03\x01", "the begin of the handshake")


def test_client_certificate(stage):
    """A broker that wants a certificate of the station gets one, and refuses a station without."""
    files = certificates(stage.folder / "tls")
    broker = stage.start_broker(
        "allow_anonymous false", listener=listener(files, "require_certificate true", "use_identity_as_username true"))
    core = stage.fake_core(f"mqtts://127.0.0.1:{broker.port}")
    bridge = stage.lone_bridge("--ca-file", files / "ca.pem")
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
    bridge = stage.lone_bridge("--ca-file", files / "ca.pem")
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
