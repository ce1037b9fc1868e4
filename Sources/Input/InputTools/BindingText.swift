package import Bindings
package import Gestures
import InputDaemon
package import InputDevices

/// The lines of a configuration that bind a gesture, to be pasted or written.
package enum BindingText {
  /// `[[device]]` with the conditions that distinguish one node from others.
  ///
  /// - Parameters:
  ///   - node: the node. A keyboard and its volume knob are two nodes, and only one of the two is to be read.
  ///   - all: the connected devices; if another one has the same identity and name, the port is added.
  package static func device(
    _ device: PhysicalDevice, _ node: DeviceDescription, among all: [PhysicalDevice]
  ) -> [String] {
    ["[[device]]  # \(name(of: device))"] + conditions(device, node, among: all)
  }

  private static func conditions(
    _ device: PhysicalDevice, _ node: DeviceDescription, among all: [PhysicalDevice]
  ) -> [String] {
    // A name with one of these characters is not exact: they are wildcards in a pattern.
    let isExact = !node.name.isEmpty && !node.name.contains { $0 == "*" || $0 == "?" }
    let name = isExact ? ["name = \(quoted(node.name))"] : []
    if node.bus == 5, !node.uniq.isEmpty { return ["uniq = \(quoted(node.uniq))"] + name }
    guard node.vendor != 0 || node.product != 0 else { return ["name = \(quoted(node.name))"] }
    let identity = "\(hexadecimal(node.vendor)):\(hexadecimal(node.product))"
    let lines = ["id = \(quoted(identity))"] + name
    let hasTwin = all.contains { other in
      other != device
        && other.nodes.contains {
          ($0.description.vendor, $0.description.product, $0.description.name)
            == (node.vendor, node.product, node.name)
        }
    }
    guard hasTwin || !isExact, let slash = node.phys.lastIndex(of: "/") else { return lines }
    return lines + ["phys = \(quoted(node.phys[..<slash] + "/*"))"]
  }

  /// The lines that bind a recognised gesture, after a remark on their place if the configuration already mentions the
  /// device.
  ///
  /// - Parameter rule: the present rule of the device.
  package static func advice(
    _ gesture: Gesture, of device: PhysicalDevice, _ node: DeviceDescription, among all: [PhysicalDevice],
    by rule: AppliedRule
  ) -> [String] {
    let former = rule.binding(for: gesture)
    // A default is broader than the gesture: any key, or a finger anywhere.
    let written = former?.line == nil ? nil : former
    let zone = gesture.zone.flatMap { name in rule.interests.lazy.compactMap(\.zone).first { $0.name == name } }
    guard let binding = binding(of: gesture, former?.action ?? .add, in: zone, like: written) else {
      return ["# \(BindingWriter.Nameless())"]
    }
    if case .configuration(let file, let line) = rule.source {
      let place = former?.line.map { "as it is on line \($0) of \(file)" }
      return ["# \(place ?? "below the [[device]] on line \(line) of \(file)"):"] + lines(binding)
    }
    return self.device(device, node, among: all) + lines(binding).map { "  " + $0 }
  }

  /// The binding for exactly one gesture: with its keys, its fingers, and a zone if given.
  ///
  /// Nil if the key has neither a name in the kernel nor a scan code.
  package static func binding(
    of gesture: Gesture, _ action: Action, in zone: Zone? = nil, like former: Binding? = nil
  ) -> Binding? {
    guard let target = target(of: gesture, in: zone) else { return nil }
    return Binding(
      gesture: gesture.kind, target: former?.target ?? target, action: former?.action ?? action,
      ending: former?.ending, timing: former?.timing ?? .init())
  }

  private static func target(of gesture: Gesture, in zone: Zone?) -> Interest.Target? {
    if gesture.fingers > 0 { return .touch(fingers: gesture.fingers, zone: zone) }
    if gesture.kind == .shake { return .motion }
    let pressed = gesture.key.map { [Gesture.PressedKey(code: $0, scan: gesture.scan)] } ?? gesture.chord
    if pressed.isEmpty { return .wheel }
    let named = pressed.filter { name(of: $0) != nil }
    let scans = pressed.filter { name(of: $0) == nil }.compactMap(\.scan)
    guard named.count + scans.count == pressed.count else { return nil }
    return .keys(codes: named.map(\.code), scans: scans)
  }

  /// The name of a key; `nil` if only its scan code distinguishes it from others.
  private static func name(of key: Gesture.PressedKey) -> String? {
    key.code == KeyCode.unknown && key.scan != nil ? nil : EvdevKeys.name(of: key.code)
  }

  /// `[[device.bind]]` with the gesture, its target and its action.
  package static func lines(_ binding: Binding) -> [String] {
    var lines = ["[[device.bind]]", "gesture = \(quoted(binding.gesture.rawValue))"]
    switch binding.target {
    case .keys(let codes, let scans):
      let names = codes.compactMap { EvdevKeys.name(of: $0).map { quoted($0) } }
      let numbers = scans.map { "0x\(String($0, radix: 16))" }
      if names.count == 1 { lines.append("key = \(names[0])") }
      if names.count > 1 { lines.append("keys = [\(names.joined(separator: ", "))]") }
      if numbers.count == 1 { lines.append("scan = \(numbers[0])") }
      if numbers.count > 1 { lines.append("scan = [\(numbers.joined(separator: ", "))]") }
    case .touch(let fingers, let zone):
      if fingers > 1 { lines.append("fingers = \(fingers)") }
      if let zone { lines += self.lines(zone) }
    case .wheel, .motion: break
    }
    if let mode = binding.timing.mode { lines.append("mode = \(quoted(mode.rawValue))") }
    for (setting, value) in binding.timing.values.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      lines.append("\(setting.rawValue) = \(value)")
    }
    lines.append("do = \(value(binding.action))")
    if let ending = binding.ending { lines.append("then = \(value(ending))") }
    return lines
  }

  /// A text, or a list of texts for several actions.
  package static func value(_ action: Action) -> String {
    let texts = action.parts.map { quoted($0.description) }
    return texts.count == 1 ? texts[0] : "[\(texts.joined(separator: ", "))]"
  }

  private static func lines(_ zone: Zone) -> [String] {
    guard let cell = zone.cell else { return ["zone = \(quoted(zone.name))"] }
    return ["grid = [\(cell.grid.columns), \(cell.grid.rows)]", "cell = [\(cell.column), \(cell.row)]"]
  }

  /// The settings for a gesture's interval and its mode.
  package static func timing(_ name: String, seconds: Double, isEager: Bool = false) -> [String] {
    ["\(name) = \(seconds)"] + (isEager ? ["mode = \(quoted(Timing.Mode.eager.rawValue))"] : [])
  }

  /// The gesture in words: `press of KEY_B`.
  package static func sentence(_ gesture: Gesture) -> String {
    var words = gesture.kind.rawValue
    if let isOn = gesture.isOn { words += isOn ? " begins" : " ends" }
    let keys = gesture.key.map { [Gesture.PressedKey(code: $0, scan: gesture.scan)] } ?? gesture.chord
    if !keys.isEmpty { words += " of " + keys.map(text).joined(separator: " and ") }
    if gesture.fingers > 1 { words += " with \(gesture.fingers) fingers" }
    if let position = gesture.position { words += " at \(percent(position.x)), \(percent(position.y))" }
    if let zone = gesture.zone { words += " (zone \(zone))" }
    return words
  }

  private static func text(_ key: Gesture.PressedKey) -> String {
    if let name = name(of: key) { return name }
    return key.code == KeyCode.unknown ? "scan code 0x\(String(key.scan ?? 0, radix: 16))" : "key \(key.code)"
  }

  /// The name of the device, without the suffixes of its nodes.
  package static func name(of device: PhysicalDevice) -> String {
    CauseLabel.device(device.nodes.map(\.description.name).min { $0.utf8.count < $1.utf8.count } ?? "")
  }

  /// A text as a TOML string on one line, with any content.
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
