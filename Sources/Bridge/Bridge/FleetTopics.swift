import Fleet
import JSON

/// The topics of a station of a fleet: `tallymark/FLEET/STATION/…`.
public struct FleetTopics: Equatable, Sendable {
  public let fleet: String
  public let station: String
  private let prefix: String

  /// - Returns: `nil` unless both are valid names according to ``Membership``.
  public init?(fleet: String, station: String) {
    guard Membership.isName(fleet), Membership.isName(station) else { return nil }
    self.fleet = fleet
    self.station = station
    prefix = "tallymark/\(fleet)/"
  }

  /// The level below which the speaker publishes values of the fleet.
  static let all = "all"
  /// Home Assistant publishes "online" here when it has started.
  public static let birth = "homeassistant/status"

  /// The full topic for a topic relative to the fleet.
  public func full(_ relative: String) -> String { prefix + relative }

  public var online: String { online(of: station) }
  public func online(of station: String) -> String { full("\(station)/online") }
  /// The topic of this station's description.
  public var description: String { full("\(station)/station") }
  /// The message that describes this station to others.
  ///
  /// - Parameter id: the ID of the station.
  public func description(id: String, version: String) -> Publication {
    let members: JSONObject = [
      "version": .int(Message.version), "id": .string(id), "name": .string(station), "product": .string(version),
    ]
    return Publication(description, members.description, isRetained: true)
  }
  /// The topic of this station's questions and answers.
  public var answers: String { full("\(station)/answer") }
  public func commands(of station: String) -> String { full("\(station)/do") }
  /// The topic of a message to this station itself, which shows how late the broker's messages are.
  public var echo: String { full("\(station)/echo") }
  public func event(of station: String, counter: String) -> String { full("\(station)/event/\(counter)") }
  /// The topic of this station's settings of a counter.
  public func definition(of counter: String) -> String { full("\(station)/def/\(counter)") }
  public func state(of counter: String) -> String { full("all/\(counter)/state") }
  public func value(of counter: String) -> String { full("all/\(counter)/value") }

  /// A topic filter with its options.
  public struct Filter: Equatable, Sendable {
    public let text: String
    /// The highest quality of service to receive.
    public let quality: Int32
    /// Whether the broker does not send back messages of this client. MQTT 5 only.
    public let isWithoutOwn: Bool
    /// Whether a message that was just published keeps its retain flag. With MQTT 3.1.1 it never does.
    public var showsRetained = false
  }

  /// The filters of a station. No two match the same topic: a broker may deliver a message once for each.
  ///
  /// Quality 0 for all except commands: a lost register is sent again, and the broker's limit of queued messages would
  /// cut off a burst of retained messages of quality 1.
  public var filters: [Filter] {
    stateFilters + ["+/knows", "+/knows/+", "+/answer", "all/+/+"].map(others) + [
      Filter(text: echo, quality: 0, isWithoutOwn: false)
    ]
  }

  /// The filter of a station that obeys commands.
  public var commandFilter: Filter {
    Filter(text: commands(of: station), quality: 1, isWithoutOwn: false, showsRetained: true)
  }

  /// The filters of the state that the broker holds for cores.
  public var stateFilters: [Filter] {
    ["+/station", "+/def/+", "+/reg/+/+/+"].map(others) + [onlineFilter]
  }

  /// The filter of the state of stations, this one included: the will of a lost connection may arrive.
  public var onlineFilter: Filter { Filter(text: full("+/online"), quality: 0, isWithoutOwn: false) }

  private func others(_ relative: String) -> Filter { Filter(text: full(relative), quality: 0, isWithoutOwn: true) }

  /// The meaning of a received topic.
  public enum Kind: Equatable, Sendable {
    /// A message for the core, with the topic relative to the fleet.
    case core(String)
    case online(station: String)
    case command
    /// A message of this station to itself.
    case echo
    /// A value of the fleet or a document for Home Assistant, from any speaker.
    case spoken
    case birth
  }

  /// The maximum length of a topic in bytes, above that of any topic of a fleet or of Home Assistant.
  static let maximumLength = 160

  /// - Returns: `nil` for a topic that is not used here.
  public func kind(of topic: String) -> Kind? {
    guard topic.utf8.count <= Self.maximumLength else { return nil }
    if topic == Self.birth { return .birth }
    if topic.hasPrefix("homeassistant/") { return .spoken }
    guard topic.hasPrefix(prefix) else { return nil }
    let relative = topic.dropFirst(prefix.count)
    let levels = relative.split(separator: "/", omittingEmptySubsequences: false)
    guard levels.count >= 2 else { return nil }
    if levels[0] == Self.all { return levels.count == 3 ? .spoken : nil }
    guard Membership.isName(levels[0]) else { return nil }
    switch (levels[1], levels.count) {
    case ("online", 2): return .online(station: String(levels[0]))
    case ("do", 2): return levels[0] == station ? .command : nil
    case ("echo", 2): return levels[0] == station ? .echo : nil
    case ("station", 2), ("knows", 2), ("knows", 3), ("answer", 2), ("def", 3), ("reg", 5):
      return .core(String(relative))
    default: return nil
    }
  }
}
