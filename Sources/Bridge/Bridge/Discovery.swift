import Fleet
import JSON

/// Documents by which Home Assistant finds the counters of a fleet (MQTT discovery).
///
/// Each counter has a document, published by the counter's speaker, and each station has one about itself, so that each
/// can be removed separately. Root keys are strict: an unknown one rejects the whole document.
public enum Discovery: String, CaseIterable, Sendable {
  /// A document for all entities of a counter (Home Assistant 2024.12 and later).
  case device
  /// A document for each entity: openHAB, Domoticz, earlier Home Assistants.
  case components
  case off

  /// The filters that show which documents the broker has, and when Home Assistant starts.
  public func filters(_ topics: FleetTopics) -> [FleetTopics.Filter] {
    let platforms: [String] =
      switch self {
      case .device: ["device"]
      case .components: Component.platforms
      case .off: []
      }
    let documents = platforms.map { Self.topic($0, topics, "+") }
    let birth = self == .off ? [] : [FleetTopics.birth]
    return (documents + birth).map { FleetTopics.Filter(text: $0, quality: 0, isWithoutOwn: true) }
  }

  /// The documents of counters.
  ///
  /// - Parameters:
  ///   - topics: the topics of the station that receives commands.
  ///   - isObeying: whether it obeys them.
  ///   - stations: the stations that count the counters, for their availability.
  public func publications(
    _ topics: FleetTopics, isObeying: Bool, stations: [String], counters: [SharedCounter], version: String
  ) -> [Publication] {
    counters.sorted { $0.id < $1.id }.flatMap { counter in
      documents(
        Component.all(of: counter, topics, isObeying: isObeying), key: counter.id, topics, stations: stations,
        version: version)
    }
  }

  /// The documents of the station itself, about its connection.
  public func station(_ topics: FleetTopics, version: String) -> [Publication] {
    let connected = Component.connectivity(topics)
    return documents([connected], key: connected.key, topics, stations: [], version: version)
  }

  private func documents(
    _ components: [Component], key: String, _ topics: FleetTopics, stations: [String], version: String
  ) -> [Publication] {
    let device: JSONObject = [
      "identifiers": [.string(Self.id(topics))], "name": .string("Tallymark \(topics.fleet)"),
      "manufacturer": "Tallymark", "sw_version": .string(version),
    ]
    var common: JSONObject = [
      "device": .object(device), "origin": ["name": "tally-mqttd", "sw_version": .string(version)],
    ]
    if !stations.isEmpty {
      common["availability"] = .array(stations.map { ["topic": .string(topics.online(of: $0))] })
      common["availability_mode"] = "any"
    }
    switch self {
    case .off: return []
    case .device:
      var parts = JSONObject()
      for component in components {
        parts[component.key] = .object(component.document.merging(["platform": .string(component.platform)]))
      }
      common["components"] = .object(parts)
      return [Publication(Self.topic("device", topics, key), common.description, isRetained: true)]
    case .components:
      return components.map { component in
        // A trigger is not an entity, so it has no availability.
        var common = common
        if !component.isEntity { (common["availability"], common["availability_mode"]) = (nil, nil) }
        return Publication(
          Self.topic(component.platform, topics, component.key), common.merging(component.document).description,
          isRetained: true)
      }
    }
  }

  /// The ID of the counter that a topic is about: of a document, or of a value.
  public static func counter(of topic: String) -> String? {
    let levels = topic.split(separator: "/")
    guard levels.count >= 4 else { return nil }
    // The key of an entity begins with the ID of its counter.
    let id = topic.hasPrefix("homeassistant/") ? levels[levels.count - 2].prefix(32) : levels[levels.count - 2]
    return CounterID(String(id))?.description
  }

  private static func topic(_ platform: String, _ topics: FleetTopics, _ key: String) -> String {
    "homeassistant/\(platform)/\(id(topics))/\(key)/config"
  }

  static func id(_ topics: FleetTopics) -> String { "tallymark-\(topics.fleet)" }
}

extension JSONObject {
  fileprivate func merging(_ other: JSONObject) -> JSONObject {
    var merged = self
    for (name, value) in other { merged[name] = value }
    return merged
  }
}
