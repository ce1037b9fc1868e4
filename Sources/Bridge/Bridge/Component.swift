import JSON

/// An entity or a trigger of Home Assistant, as described in its documentation of MQTT.
struct Component: Equatable, Sendable {
  let platform: String
  let key: String
  let document: JSONObject

  static let platforms = ["sensor", "button", "number", "event", "device_automation", "binary_sensor"]

  var isEntity: Bool { platform != "device_automation" }

  /// The highest number that Home Assistant may set; its default is 100.
  private static let highest: Int64 = 1_000_000_000

  private init(_ platform: String, _ key: String, _ name: String, _ topics: FleetTopics, _ more: JSONObject) {
    (self.platform, self.key) = (platform, key)
    var document = more
    if platform != "device_automation" {
      document["name"] = .string(name)
      document["unique_id"] = .string("\(Discovery.id(topics))-\(key)")
    }
    self.document = document
  }

  /// The connection state of a station. Without availability: an unavailable entity could not report "disconnected".
  static func connectivity(_ topics: FleetTopics) -> Component {
    Component(
      "binary_sensor", "station-\(topics.station)", topics.station, topics,
      [
        "state_topic": .string(topics.online), "payload_on": "online", "payload_off": "offline",
        "device_class": "connectivity", "entity_category": "diagnostic",
      ])
  }

  /// All components of a counter; commands go to the station of `topics`, if it obeys them.
  static func all(of counter: SharedCounter, _ topics: FleetTopics, isObeying: Bool) -> [Component] {
    func component(_ platform: String, _ suffix: String, _ label: String, _ more: JSONObject) -> Component {
      let key = suffix.isEmpty ? counter.id : "\(counter.id)-\(suffix)"
      return Component(platform, key, label.isEmpty ? counter.title : "\(counter.title) \(label)", topics, more)
    }
    let commands = JSON.string(topics.commands(of: topics.station))
    // Home Assistant renders the ID once for each press, so that a repeated message counts once.
    func order(_ verb: Command.Verb, _ more: String = "") -> JSON {
      .string("{\"\(verb.rawValue)\":\"\(counter.id)\"\(more),\"id\":\"{{ now().timestamp() }}\"}")
    }
    func button(_ verb: Command.Verb, _ label: String) -> Component {
      component(
        "button", verb.rawValue, label, ["command_topic": commands, "command_template": order(verb), "qos": 1])
    }
    // The topics of all stations.
    let events = JSON.string(topics.event(of: "+", counter: counter.id))
    let triggers = CounterEvent.Kind.triggers(of: counter).map { kind in
      component(
        "device_automation", "on-\(kind.rawValue)", "",
        [
          "automation_type": "trigger", "type": .string(kind.rawValue), "subtype": .string(counter.title),
          "topic": events, "payload": .string(kind.rawValue), "value_template": "{{ value_json.event_type }}",
        ])
    }
    let step = SharedCounter.decimal(counter.step, counter.decimals)
    let full = component(
      "binary_sensor", "full", "full",
      [
        "state_topic": .string(topics.state(of: counter.id)),
        "value_template": "{{ 'ON' if value_json.full else 'OFF' }}",
      ])
    var parts = [
      component(
        "sensor", "", "",
        [
          "state_topic": .string(topics.state(of: counter.id)), "value_template": "{{ value_json.value }}",
          "json_attributes_topic": .string(topics.state(of: counter.id)),
          // With total_increasing, Home Assistant would take an undo for a new meter.
          "state_class": "total", "last_reset_value_template": "{{ value_json.since | default('') }}",
          "suggested_display_precision": .int(Int64(counter.decimals)),
        ]),
      component(
        "event", "event", "event",
        ["state_topic": events, "event_types": .array(CounterEvent.Kind.allCases.map { .string($0.rawValue) })]),
    ]
    if counter.maximum != nil { parts.append(full) }
    guard isObeying else { return parts + triggers }
    return parts + triggers + [
      button(.add, "add \(step)"), button(.subtract, "subtract \(step)"), button(.undo, "undo"),
      button(.reset, "reset"),
      component(
        "number", "correct", "correct",
        [
          "command_topic": commands, "command_template": order(.correct, ",\"quantity\":\"{{ value }}\""), "qos": 1,
          "state_topic": .string(topics.value(of: counter.id)), "mode": "box", "min": .int(-highest),
          // The smallest step that Home Assistant accepts is 0.001.
          "max": .int(highest),
          "step": .float(
            counter.decimals == 0 ? 1 : counter.decimals == 1 ? 0.1 : counter.decimals == 2 ? 0.01 : 0.001),
          "entity_category": "config",
        ]),
    ]
  }
}
