public import Bindings
import Gestures
package import InputDevices
import JSON

/// The program that counts touches on this machine's touchscreens: the gesture daemon, or a page on these screens.
public enum SeatCheck: Equatable, Sendable {
  /// The daemon uses a touchscreen. The value has its touch gestures, by descending priority.
  case daemon([Binding])
  /// The configuration makes the daemon ignore touchscreens.
  case page
  /// The configuration does not mention touchscreens, or there are none: no touch counts.
  case nobody

  package init(_ nodes: [DeviceNode], _ configuration: Configuration) {
    let screens = zip(nodes, configuration.uses(of: nodes)).filter { $0.0.description.deviceClass == .touchscreen }
    let rules = screens.compactMap { if case .used(let rule) = $0.1 { rule } else { nil } }
    if !rules.isEmpty {
      // A touch on a page does not state its screen. If the daemon uses one screen, its gestures apply to all of them.
      var gestures: [Binding] = []
      for binding in rules.flatMap(\.bindings) {
        guard case .touch = binding.target else { continue }
        let isKnown = gestures.contains { $0.gesture == binding.gesture && $0.target == binding.target }
        if !isKnown { gestures.append(binding) }
      }
      self = .daemon(gestures.filter { !$0.doesNothing })
    } else {
      let isIgnored = screens.contains { if case .unused(.ignored) = $0.1 { true } else { false } }
      self = isIgnored ? .page : .nobody
    }
  }

  /// Looks at the connected touchscreens. Needs no right to read them.
  public init(_ configuration: Configuration) throws {
    self.init(try DeviceInventory().nodes(), configuration)
  }

  /// One JSON object with `owner` (`daemon`, `page` or `nobody`); for `daemon` also `gestures`. Each gesture has
  /// `gesture`, `do`, and, if it is bound to a zone, `zone`: left, top, right and bottom as fractions of the screen.
  public var json: String {
    var object: JSONObject = [:]
    switch self {
    case .page: object["owner"] = "page"
    case .nobody: object["owner"] = "nobody"
    case .daemon(let bindings):
      object["owner"] = "daemon"
      object["gestures"] = .array(bindings.map { .object(Self.members($0)) })
    }
    return object.description
  }

  private static func members(_ binding: Binding) -> JSONObject {
    guard case .touch(let fingers, let zone) = binding.target else { return [:] }
    let words = binding.gesture.rawValue.split(separator: "-").joined(separator: " ")
    var members: JSONObject = [
      "gesture": .string(fingers > 1 ? "\(words) with \(fingers) fingers" : words),
      "do": .string("\(binding.action)" + (binding.ending.map { ", then \($0)" } ?? "")),
    ]
    if let zone { members["zone"] = .array([zone.left, zone.top, zone.right, zone.bottom].map { .float($0) }) }
    return members
  }
}
