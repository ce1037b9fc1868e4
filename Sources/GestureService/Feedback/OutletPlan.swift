package import Bindings
import Feedback
package import InputDevices

/// The ways in which an input device can answer the person who uses it.
package enum Channel: String, CaseIterable, Sendable {
  case vibration, light, tone
}

/// Which devices feedback is played on: by preference what made the gesture, in any of its nodes, else what the
/// configuration names.
package struct OutletPlan: Equatable {
  /// What each device has to be opened for, by its sysfs path.
  package let channels: [String: Set<Channel>]
  /// The nodes of the device that a node belongs to, itself first.
  private let relatives: [String: [String]]
  /// What stands in for a device that has no such thing.
  private let named: [Channel: [String]]

  /// - Parameter used: the sysfs paths of the devices that are counted with.
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

  /// Where something is played, by preference; the ones after the first are for when that one does not work.
  ///
  /// - Parameter origin: the sysfs path of the device that made the gesture, if it was an input device.
  package func outlets(for channel: Channel, origin: String?) -> [String] {
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
  /// Whether the device has what is asked for.
  func can(_ channel: Channel, _ settings: FeedbackSettings) -> Bool {
    switch channel {
    case .vibration: description.hasMotor
    case .light: light(settings) != nil
    case .tone: description.hasBuzzer
    }
  }

  /// The light of the device that is used; nil where it has none, or not the one that is named.
  func light(_ settings: FeedbackSettings) -> UInt16? {
    guard case .own(let code) = settings.light else { return description.lights.first }
    return description.lights.contains(code) ? code : nil
  }
}
