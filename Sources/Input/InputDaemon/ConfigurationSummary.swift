public import Bindings
import Gestures
public import InputDevices

/// Describes a configuration in plain words.
public enum ConfigurationSummary {
  /// One line for each device that the configuration names, each gesture that it binds and each default in force.
  ///
  /// - Parameter faults: the lines that replace the first one, which says that nothing is wrong.
  public static func text(_ configuration: Configuration, faults: [String] = []) -> String {
    var lines = faults.isEmpty ? ["\(configuration.file ?? "The defaults"): nothing is wrong."] : faults
    if configuration.usesTouchscreens { lines.append("any touchscreen: used") }
    lines += text(configuration.shake).map { "any motion sensor: \($0)" }
    lines += configuration.bindings.map { "any device: \(text($0))" }
    for rule in configuration.rules {
      let device = text(rule.conditions) + (rule.grab ? " (grabbed)" : "")
      if rule.isIgnored {
        lines.append("\(device): ignored")
        continue
      }
      if rule.countsConnecting { lines.append("\(device): its connecting is a press") }
      lines += text(rule.shake).map { "\(device): \($0)" }
      if rule.bindings.isEmpty { lines.append("\(device): the defaults") }
      lines += rule.bindings.map { "\(device): \(text($0))" }
    }
    lines += configuration.remainingDefaults.map { "\($0.devices): \(text($0.binding)) (default)" }
    lines += configuration.feedback.lines
    return lines.joined(separator: "\n")
  }

  /// One line for each device that a pattern would grab although a person operates the machine with it; empty if the
  /// configuration grabs none.
  ///
  /// - Parameter connected: the connected devices.
  public static func refusals(_ configuration: Configuration, connected: [DeviceNode]) -> [String] {
    configuration.refusedGrabs(of: connected.map(\.description)).map { line, device, noun in
      let node = connected.first { $0.description == device }
      let name = CauseLabel.device(device.name) + (node.map { " (\($0.path))" } ?? "")
      return """
        \(configuration.file ?? "input.toml"):\(line): grab = true would take \(noun) from all other programs by a \
        pattern, such as \(name), which is therefore not used: give the id or the full name of the device that is meant
        """
    }
  }

  /// The gesture and its action: "press of KEY_B → add".
  package static func text(_ binding: Binding) -> String {
    var text = binding.gesture.rawValue
    switch binding.target {
    case .touch(let fingers, let zone):
      if fingers > 1 { text += " with \(fingers) fingers" }
      if let zone { text += " in \(zone.name)" }
    case .keys(let codes, let scans):
      let names =
        codes.map { EvdevKeys.name(of: $0) ?? "key \($0)" } + scans.map { "scan code 0x\(String($0, radix: 16))" }
      if !names.isEmpty { text += " of \(names.joined(separator: binding.gesture == .chord ? " and " : ", "))" }
    case .wheel, .motion: break
    }
    if let mode = binding.timing.mode { text += ", \(mode.rawValue)" }
    for (setting, value) in binding.timing.values.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      text += ", \(setting.rawValue) \(value)"
    }
    return "\(text) → \(binding.action)" + (binding.ending.map { ", then \($0)" } ?? "")
  }

  private static func text(_ shake: ShakeChanges) -> [String] {
    (shake.sensitivity.map { ["a shake is \($0.rawValue)"] } ?? [])
      + shake.values.sorted { $0.key < $1.key }.map { "a shake has \($0.key) \($0.value)" }
  }

  private static func text(_ conditions: DeviceConditions) -> String {
    var parts = conditions.names.isEmpty ? [] : [conditions.names.joined(separator: " or ")]
    if !conditions.identities.isEmpty {
      parts.append("id \(conditions.identities.map(text).joined(separator: " or "))")
    }
    if let bus = conditions.bus { parts.append("bus \(bus)") }
    if let uniq = conditions.uniq { parts.append("uniq \(uniq)") }
    if let phys = conditions.phys { parts.append("phys \(phys)") }
    if let label = conditions.label { parts.append("label \(label)") }
    if let path = conditions.path { parts.append("path \(path)") }
    parts += conditions.udev.sorted { $0.key < $1.key }.map { "udev \($0.key) \($0.value)" }
    return parts.joined(separator: ", ")
  }

  private static func text(_ identity: DeviceConditions.Identity) -> String {
    hexadecimal(identity.vendor) + ":" + hexadecimal(identity.product)
  }
}

/// Four digits, as in the output of `lsusb`.
package func hexadecimal(_ number: UInt16) -> String {
  let digits = String(number, radix: 16)
  return String(repeating: "0", count: 4 - digits.count) + digits
}
