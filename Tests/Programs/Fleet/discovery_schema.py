"""What Home Assistant takes as a document of MQTT discovery, by its documentation.

Source: home-assistant.io, integration MQTT, sections "MQTT discovery" (device and single component payloads), "Sensor", "Binary
sensor", "Button", "Number", "Event" and "Device trigger", as of 2025.4. An unknown key of a device's document rejects all of it;
Home Assistant itself ignores unknown keys of components, and here they are faults."""

import voluptuous as vol
from voluptuous import All, Any, In, Length, Optional, Range, Required

TEXT = All(str, Length(min=1))
PUBLISHED = All(TEXT, vol.Match(r"^[^+#\0]+$", "a topic for messages has no wildcard"))
SUBSCRIBED = All(TEXT, vol.Match(r"^[^#+/\0]*(/([^#+/\0]*|\+))*(/#)?$", "not a topic filter"))
TEMPLATE = All(str, vol.Match(r"^([^{}]|\{(?!\{)|\}(?!\})|\{\{ [^{}]+ \}\})*$", "not a template"))
DEVICE = {Required("identifiers"): All([TEXT], Length(min=1)), Required("name"): TEXT, Optional("manufacturer"): TEXT,
          Optional("sw_version"): TEXT}
ORIGIN = {Required("name"): TEXT, Optional("sw_version"): TEXT}
AVAILABILITY = {
    Optional("availability"): [{Required("topic"): SUBSCRIBED, Optional("payload_available"): str}],
    Optional("availability_mode"): In(["all", "any", "latest"])}

ENTITY = {Required("unique_id"): TEXT, Required("name"): TEXT, Optional("entity_category"): In(["config", "diagnostic"]),
          Optional("qos"): In([0, 1, 2])}
PLATFORMS = {
    "sensor": {
        **ENTITY, Required("state_topic"): SUBSCRIBED, Optional("value_template"): TEMPLATE, Optional("json_attributes_topic"): SUBSCRIBED,
        # The only state class that may have a last reset.
        Required("state_class"): In(["total"]),
        Optional("last_reset_value_template"): TEMPLATE, Optional("suggested_display_precision"): All(int, Range(min=0))},
    "binary_sensor": {
        **ENTITY, Required("state_topic"): SUBSCRIBED, Optional("payload_on"): str, Optional("payload_off"): str,
        Optional("value_template"): TEMPLATE,
        Optional("device_class"): In(["connectivity"])},
    "button": {**ENTITY, Required("command_topic"): PUBLISHED, Optional("command_template"): TEMPLATE},
    "number": {
        **ENTITY, Required("command_topic"): PUBLISHED, Optional("command_template"): TEMPLATE, Optional("state_topic"): SUBSCRIBED,
        # Without them 1 to 100.
        Required("min"): Any(int, float), Required("max"): Any(int, float), Optional("step"): All(Any(int, float), Range(min=0.001)),
        Optional("mode"): In(["auto", "box", "slider"])},
    "event": {**ENTITY, Required("state_topic"): SUBSCRIBED, Required("event_types"): All([TEXT], Length(min=1))},
    "device_automation": {
        Required("automation_type"): In(["trigger"]), Required("topic"): SUBSCRIBED, Required("type"): TEXT, Required("subtype"): TEXT,
        Optional("payload"): str, Optional("value_template"): TEMPLATE}}


def component(document):
    """Checks a component of a device's document."""
    rest = dict(document)
    return vol.Schema(PLATFORMS[rest.pop("platform")])(rest)


def check(topic, document):
    """Checks the document of a topic; raises `vol.Invalid`."""
    vol.Schema(vol.Match(r"^homeassistant/\w+/([a-zA-Z0-9_-]+/)?[a-zA-Z0-9_-]+/config$"))(topic)
    platform = topic.split("/")[1]
    common = {Required("device"): DEVICE, Required("origin"): ORIGIN, **AVAILABILITY}
    more = PLATFORMS.get(platform) or {Required("components"): All({vol.Match(r"^[a-zA-Z0-9_-]+$"): component}, Length(min=1))}
    vol.Schema({**common, **more})(document)
