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
# A start compiles much, on a machine that does other things as well.
PATIENCE = 120

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

PROBE = '''
"""Sets MQTT up as a person does, writes down states and fired triggers, and calls services that it is told."""

import asyncio
import json
import os

from homeassistant.components.device_automation import DeviceAutomationType, async_get_device_automations
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.trigger import async_initialize_triggers, async_validate_trigger_config

CONFIG_SCHEMA = cv.schema_with_slug_keys(cv.match_all)


async def async_setup(hass, config):
    port, folder = config["probe"]["port"], Path(config["probe"]["folder"])
    attached, fired = set(), []

    async def attach():
        for triggers in (await async_get_device_automations(hass, DeviceAutomationType.TRIGGER)).values():
            for trigger in triggers:
                name = f"{trigger['type']} {trigger.get('subtype')}"
                if trigger.get("domain") != "mqtt" or name in attached:
                    continue
                attached.add(name)

                async def act(variables, context=None, name=name):
                    fired.append(name)

                trigger = {key: value for key, value in trigger.items() if key != "metadata"}
                checked = await async_validate_trigger_config(hass, [{"platform": "device", **trigger}])
                await async_initialize_triggers(hass, checked, act, "probe", "probe", lambda *_, **__: None)

    def tell(text):
        (folder / "new.json").write_text(text)
        os.replace(folder / "new.json", folder / "states.json")

    def order():
        call = folder / "call.json"
        if not call.exists():
            return None
        text = call.read_text()
        call.unlink()
        return json.loads(text)

    async def run():
        flow = await hass.config_entries.flow.async_init("mqtt", context={"source": "user"})
        done = await hass.config_entries.flow.async_configure(flow["flow_id"], {"broker": "127.0.0.1", "port": port})
        assert done["type"] == "create_entry", done
        while True:
            await attach()
            if call := await hass.async_add_executor_job(order):
                await hass.services.async_call(*call, blocking=True)
            states = {state.entity_id: {"state": state.state, **state.attributes} for state in hass.states.async_all()}
            text = json.dumps({"states": states, "triggers": sorted(attached), "fired": fired}, default=str)
            await hass.async_add_executor_job(tell, text)
            await asyncio.sleep(0.2)

    async def begin(_):
        hass.async_create_background_task(run(), "probe")

    hass.bus.async_listen_once("homeassistant_started", begin)
    return True
'''

FRONTEND = """
async def async_setup(hass, config):
    return True
"""


class HomeAssistant(Process):
    def __init__(self, folder, port):
        folder.mkdir(exist_ok=True)
        (folder / "configuration.yaml").write_text(CONFIGURATION.format(http=free_port(), port=port, folder=folder))
        # Without a frontend it starts for its repair only, and pages are not of interest here.
        for name, source in (("probe", PROBE), ("frontend", FRONTEND)):
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
