"""Home Assistant itself, on a configuration of its own, with a component that tells its states and calls its services."""

import json
import os
import subprocess
import time
from contextlib import suppress

from kit import ROOT
from kit.process import Process, free_port
from kit.wait import eventually

# Made by Tests/Endurance/HomeAssistant/install, where there is a Python for it.
PROGRAM = ROOT / ".build-home-assistant/bin/hass"
PROBE = ROOT / "Tests/Endurance/HomeAssistant/probe.py"
# A start compiles much, on a machine that does other things as well.
PATIENCE = 600

CONFIGURATION = """
http:
  server_host: 127.0.0.1
  server_port: {http}
probe:
  port: {port}
  folder: {folder}
logger:
  default: warning
"""

FRONTEND = """
async def async_setup(hass, config):
    return True
"""


class HomeAssistant(Process):
    def __init__(self, folder, port):
        folder.mkdir(exist_ok=True)
        (folder / "configuration.yaml").write_text(CONFIGURATION.format(http=free_port(), port=port, folder=folder))
        # Without a frontend it starts for its repair only, and pages are not of interest here.
        for name, source in (("probe", PROBE.read_text()), ("frontend", FRONTEND)):
            component = folder / "custom_components" / name
            component.mkdir(parents=True)
            (component / "__init__.py").write_text(source)
            (component / "manifest.json").write_text(json.dumps(
                {"domain": name, "name": name, "version": "1.0", "documentation": "", "codeowners": [], "requirements": [],
                 "dependencies": ["device_automation"] if name == "probe" else []}))
        super().__init__(
            folder, [PROGRAM, "--config", folder, "--skip-pip", "--log-no-color"], {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPATH": ""})

    def start(self):
        self.launch()
        eventually(lambda: self.pid and self.told, "Home Assistant starts", PATIENCE)

    @property
    def told(self):
        path = self.folder / "states.json"
        return json.loads(path.read_text()) if path.exists() else None

    def entity(self, name):
        """The state of an entity with its attributes; `None` if there is none."""
        return self.told["states"].get(name)

    def call(self, domain, service, **data):
        new = self.folder / "call.new"
        new.write_text(json.dumps([domain, service, data]))
        os.replace(new, self.folder / "call.json")
        eventually(lambda: not (self.folder / "call.json").exists(), "the service is called")
        time.sleep(0.05)

    @property
    def complaints(self):
        """What it logged about MQTT."""
        return [line for line in self.said.splitlines() if "mqtt" in line and ("WARNING" in line or "ERROR" in line)]

    def close(self):
        if self.is_running:
            with suppress(subprocess.TimeoutExpired):
                self.end()
        super().close()
