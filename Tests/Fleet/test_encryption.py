"""TLS between bridge and broker."""

from broker import certificates
from kit.wait import equal


def listener(folder, *more):
    return [f"cafile {folder}/ca.pem", f"certfile {folder}/broker.pem", f"keyfile {folder}/broker.key", *more]


def test_authority(stage):
    """The broker's certificate must be vouched for; the memory with TLS is 10 MB at most."""
    files = certificates(stage.folder / "tls")
    broker = stage.start_broker(listener=listener(files))
    core = stage.fake_core(f"mqtts://localhost:{broker.port}")
    bridge = stage.lone_bridge()
    core.says("TLS with the broker at localhost")
    equal("certificate verify failed" in core.report[1], True, f"whether {core.report[1]} has the reason")
    bridge.kill()
    bridge.command += ["--ca-file", files / "ca.pem"]
    bridge.start()
    core.is_connected()
    print(f"        with TLS: {bridge.written / 1024:.1f} MiB written, PSS {bridge.memory / 1024:.1f} MiB", flush=True)
    equal(bridge.written <= 10_000, True, f"whether {bridge.written} KiB is not too much")


def test_client_certificate(stage):
    """A broker that wants a certificate of the station gets one, and refuses a station without."""
    files = certificates(stage.folder / "tls")
    broker = stage.start_broker(
        "allow_anonymous false", listener=listener(files, "require_certificate true", "use_identity_as_username true"))
    core = stage.fake_core(f"mqtts://127.0.0.1:{broker.port}")
    bridge = stage.lone_bridge("--ca-file", files / "ca.pem")
    core.says(f"127.0.0.1:{broker.port}")
    equal(core.report[0], False, "whether it is connected")
    bridge.kill()
    bridge.command += ["--cert", files / "door1.pem", "--key", files / "door1.key"]
    bridge.start()
    core.is_connected()
