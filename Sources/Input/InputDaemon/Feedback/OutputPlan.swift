package import Bindings
import Feedback
package import InputDevices

/// The kinds of feedback that an input device can play.
package enum Channel: String, CaseIterable, Sendable {
  case vibration, light, tone
}

/// The devices that play feedback: preferably the device that made the gesture (any of its nodes), else those that the
/// configuration names.
package struct OutputPlan: Equatable {
  /// The channels of each device to open, by its sysfs path.
  package let channels: [String: Set<Channel>]
  /// The nodes of the device that a node belongs to, itself first.
  private let relatives: [String: [String]]
  /// The configured substitutes for devices without the channel.
  private let named: [Channel: [String]]

  /// - Parameter used: the sysfs paths of the devices in use.
  package init(_ nodes: [DeviceNode], used: Set<String>, settings: FeedbackSettings) {
    var relatives: [String: [String]] = [:]
    for device in PhysicalDevice.all(nodes) {
      let paths = device.nodes.map(\.syspath)
      for path in paths { relatives[path] = [path] + paths.filter { $0 != path } }
    }
    let wanted = Self.wanted(settings)
    let inHand = Set(used.flatMap { relatives[$0] ?? [] })
    var channels: [String: Set<Channel>] = [:]
    var named: [Channel: [String]] = [:]
    for node in nodes {
      let able = wanted.filter { node.can($0, settings) }
      let isNamed = { (channel: Channel) in
        switch channel {
        case .vibration: settings.isMotor(node.description)
        case .light: false
        case .tone: settings.isSpeaker(node.description)
        }
      }
      for channel in able where isNamed(channel) { named[channel, default: []].append(node.syspath) }
      let opened = able.filter { inHand.contains(node.syspath) || isNamed($0) }
      if !opened.isEmpty { channels[node.syspath] = opened }
    }
    self.relatives = relatives
    self.channels = channels
    self.named = named
  }

  /// The devices for a channel, by descending preference; the later ones are fallbacks.
  ///
  /// - Parameter origin: the sysfs path of the device that made the gesture; nil for a terminal.
  package func outputs(for channel: Channel, origin: String?) -> [String] {
    let own = (origin.flatMap { relatives[$0] } ?? []).filter { channels[$0]?.contains(channel) ?? false }
    return own + (named[channel] ?? []).filter { !own.contains($0) }
  }

  private static func wanted(_ settings: FeedbackSettings) -> Set<Channel> {
    let rules = settings.decisions
    var wanted: Set<Channel> = [.vibration]
    if rules.tones { wanted.insert(.tone) }
    if case .system = settings.light {} else if rules.lights { wanted.insert(.light) }
    return wanted
  }
}

extension DeviceNode {
  func can(_ channel: Channel, _ settings: FeedbackSettings) -> Bool {
    switch channel {
    case .vibration: description.hasMotor
    case .light: light(settings) != nil
    case .tone: description.hasBuzzer
    }
  }

  /// The LED code to use: the configured code, else the first of the device; nil for a device without LEDs.
  func light(_ settings: FeedbackSettings) -> UInt16? {
    guard case .own(let code) = settings.light else { return description.lights.first }
    return description.lights.contains(code) ? code : nil
  }
}
