import Varlink

/// Documents by which Home Assistant finds the counters of a fleet (MQTT discovery).
///
/// Root keys are strict: an unknown one rejects the whole device. `state_class` is `total`: with `total_increasing` an undo
/// would be a new meter.
public enum Discovery: String, CaseIterable, Sendable {
  /// One document for all (Home Assistant 2024.12 and later).
  case device
  /// A document for each sensor and button: openHAB, Domoticz, earlier Home Assistants.
  case components
  case off

  /// The filters that show which documents the broker has, and when Home Assistant starts.
  public func filters(_ topics: FleetTopics) -> [FleetTopics.Filter] {
    let documents: [String] =
      switch self {
      case .device: ["homeassistant/device/\(Self.id(topics))/config"]
      case .components: ["sensor", "button"].map { "homeassistant/\($0)/\(Self.id(topics))/+/config" }
      case .off: []
      }
    let birth = self == .off ? [] : [FleetTopics.birth]
    return (documents + birth).map { FleetTopics.Filter(text: $0, quality: 0, isWithoutOwn: true) }
  }

  /// The retained messages for a fleet.
  ///
  /// - Parameters:
  ///   - speaker: the station that commands are sent to.
  ///   - stations: all stations, for whether the counters are available.
  public func publications(
    _ topics: FleetTopics, speaker: String, stations: [String], counters: [SharedCounter], version: String
  ) -> [Publication] {
    let device: JSONObject = [
      "identifiers": [.string(Self.id(topics))], "name": .string("Tallymark \(topics.fleet)"),
      "manufacturer": "Tallymark", "sw_version": .string(version),
    ]
    let origin: JSONObject = ["name": "tally-mqttd", "sw_version": .string(version)]
    let availability = JSON.array(stations.map { ["topic": .string(topics.online(of: $0))] })
    let common: JSONObject = [
      "device": .object(device), "origin": .object(origin), "availability": availability, "availability_mode": "any",
    ]
    let parts = counters.sorted { $0.id < $1.id }.flatMap { Self.components(of: $0, topics, speaker: speaker) }
    switch self {
    case .off: return []
    case .device:
      var document = common
      document["components"] = .object(
        parts.reduce(into: JSONObject()) { all, part in all[part.key] = .object(part.document) })
      return [Publication("homeassistant/device/\(Self.id(topics))/config", document.description, isRetained: true)]
    case .components:
      return parts.map { part in
        var document = common
        for (name, value) in part.document where name != "platform" { document[name] = value }
        return Publication(
          "homeassistant/\(part.platform)/\(Self.id(topics))/\(part.key)/config", document.description, isRetained: true
        )
      }
    }
  }

  private static func id(_ topics: FleetTopics) -> String { "tallymark-\(topics.fleet)" }

  private struct Component {
    let platform: String
    let key: String
    var document: JSONObject
  }

  private static func components(
    of counter: SharedCounter, _ topics: FleetTopics, speaker: String
  ) -> [Component] {
    func component(_ platform: String, _ suffix: String, _ name: String, _ more: JSONObject) -> Component {
      let key = suffix.isEmpty ? counter.id : "\(counter.id)-\(suffix)"
      var document: JSONObject = [
        "platform": .string(platform), "unique_id": .string("\(id(topics))-\(key)"), "name": .string(name),
      ]
      for (name, value) in more { document[name] = value }
      return Component(platform: platform, key: key, document: document)
    }
    func button(_ verb: Command.Verb, _ label: String) -> Component {
      // Home Assistant renders the ID once per press, so that a repeated message counts once.
      let order = "{\"\(verb.rawValue)\":\"\(counter.id)\",\"id\":\"{{ now().timestamp() }}\"}"
      return component(
        "button", verb.rawValue, "\(counter.title) \(label)",
        ["command_topic": .string(topics.commands(of: speaker)), "command_template": .string(order), "qos": 1])
    }
    let step = SharedCounter.decimal(counter.step, counter.decimals)
    return [
      component(
        "sensor", "", counter.title,
        [
          "state_topic": .string(topics.state(of: counter.id)), "value_template": "{{ value_json.value }}",
          "json_attributes_topic": .string(topics.state(of: counter.id)), "state_class": "total",
          "suggested_display_precision": .int(Int64(counter.decimals)),
        ]),
      button(.add, "+\(step)"), button(.subtract, "−\(step)"), button(.undo, "undo"), button(.reset, "reset"),
    ]
  }
}
