"""PyPI's amqtt on loopback: a broker of others, in Python, which knows MQTT 3.1.1 only and stores nothing."""

import sys
from pathlib import Path

from kit.process import Listener, free_port

CONFIGURATION = """
listeners:
  default:
    type: tcp
    bind: 127.0.0.1:{port}
plugins:
  amqtt.plugins.authentication.AnonymousAuthPlugin:
    allow_anonymous: true
"""


class SecondBroker(Listener):
    def __init__(self, folder):
        folder.mkdir()
        port = free_port()
        configuration = folder / "amqtt.yaml"
        configuration.write_text(CONFIGURATION.format(port=port))
        super().__init__(folder, [Path(sys.executable).with_name("amqtt"), "-c", configuration], port)
