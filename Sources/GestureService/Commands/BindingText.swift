package import Bindings
package import Gestures
package import InputDevices

/// The lines of a configuration that bind a gesture, to be pasted or written.
package enum BindingText {
  /// `[[device]]` and what tells the device from others.
  ///
  /// - Parameter all: the devices that there are; where another one has the same identity the port decides.
  package static func device(_ device: PhysicalDevice, among all: [PhysicalDevice]) -> [String] {
    ["[[device]]  # \(name(of: device))"] + conditions(device, among: all)
  }

  private static func conditions(_ device: PhysicalDevice, among all: [PhysicalDevice]) -> [String] {
    guard let description = device.nodes.first?.description else { return [] }
    if description.bus == 5, !description.uniq.isEmpty { return ["uniq = \(quoted(description.uniq))"] }
    guard description.vendor != 0 || description.product != 0 else { return ["name = \(quoted(description.name))"] }
    let identity = "\(hexadecimal(description.vendor)):\(hexadecimal(description.product))"
    let lines = ["id = \(quoted(identity))"]
    let twins = all.filter { other in
      other != device
        && other.nodes.contains {
          $0.description.vendor == description.vendor && $0.description.product == description.product
        }
    }
    if twins.isEmpty { return lines }
    // Ids of cheap remotes are borrowed, so the other one may be another thing altogether.
    if !twins.contains(where: { $0.nodes.contains { $0.description.name == description.name } }) {
      return lines + ["name = \(quoted(description.name))"]
    }
    guard let slash = description.phys.lastIndex(of: "/") else { return lines }
    return lines + ["phys = \(quoted(description.phys[..<slash] + "/*"))"]
  }

  /// `[[device.bind]]`, the gesture, and what it does.
  package static func binding(_ gesture: Gesture, _ action: Action) -> [String] {
    var lines = ["[[device.bind]]", "gesture = \(quoted(gesture.kind.rawValue))"]
    if let key = gesture.key {
      if let name = EvdevKeys.name(of: key) {
        lines.append("key = \(quoted(name))")
      } else if let scan = gesture.scan {
        lines.append("scan = 0x\(String(scan, radix: 16))")
      }
    }
    let chord = gesture.chord.compactMap { EvdevKeys.name(of: $0.code).map(quoted) }
    if !chord.isEmpty { lines.append("keys = [\(chord.joined(separator: ", "))]") }
    if gesture.fingers > 1 { lines.append("fingers = \(gesture.fingers)") }
    if gesture.fingers > 1 { lines.append("fingers = \(gesture.fingers)") }
    lines.append("do = \(quoted(action.description))")
    return lines
  }

  /// What that binding speaks of.
  package static func target(of gesture: Gesture) -> Wish.Target {
    if gesture.fingers > 0 { return .touch(fingers: gesture.fingers, zone: nil) }
    if gesture.kind == .shake { return .motion }
    guard let key = gesture.key else {
      return gesture.chord.isEmpty ? .wheel : .keys(codes: gesture.chord.map(\.code), scans: [])
    }
    guard EvdevKeys.name(of: key) == nil else { return .keys(codes: [key], scans: []) }
    return .keys(codes: [], scans: [gesture.scan].compactMap(\.self))
  }

  /// What sets the interval for a gesture, and whether the first tap counts at once.
  package static func timing(_ name: String, seconds: Double, isEager: Bool = false) -> [String] {
    ["\(name) = \(seconds)"] + (isEager ? ["mode = \(quoted(Timing.Mode.eager.rawValue))"] : [])
  }

  /// What was done, as a person says it: `press of KEY_B`.
  package static func sentence(_ gesture: Gesture) -> String {
    var words = gesture.kind.rawValue
    if let key = gesture.key { words += " of \(EvdevKeys.name(of: key) ?? "key \(key)")" }
    if gesture.fingers > 1 { words += " with \(gesture.fingers) fingers" }
    if let position = gesture.position { words += " at \(percent(position.x)), \(percent(position.y))" }
    return words
  }

  /// The name of the device, without what its nodes add to it.
  package static func name(of device: PhysicalDevice) -> String {
    CauseText.device(device.nodes.map(\.description.name).min { $0.utf8.count < $1.utf8.count } ?? "")
  }

  /// A text as TOML has it: one line, whatever it holds.
  package static func quoted(_ text: some StringProtocol) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case _ where scalar.properties.generalCategory == .control:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  static func percent(_ fraction: Double) -> String { "\(Int((fraction * 100).rounded())) %" }
}
