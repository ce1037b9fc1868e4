public import Bindings
import Gestures
import InputDevices

/// What a configuration says, in plain words.
public enum ConfigurationSummary {
  /// One line for each device that it names and each thing that it binds.
  public static func text(_ configuration: Configuration) -> String {
    var lines = ["\(configuration.file ?? "The defaults"): nothing is wrong."]
    lines += configuration.bindings.map { "any device: \(text($0))" }
    for rule in configuration.rules {
      let device = text(rule.conditions) + (rule.grab ? ", taken for this alone" : "")
      if rule.bindings.isEmpty { lines.append("\(device): the defaults") }
      lines += rule.bindings.map { "\(device): \(text($0))" }
    }
    return lines.joined(separator: "\n")
  }

  private static func text(_ binding: Binding) -> String {
    let keys = binding.keys.map { EvdevKeys.name(of: $0) ?? "key \($0)" }
    return "\(binding.gesture.rawValue)\(keys.isEmpty ? "" : " of \(keys.joined(separator: ", "))") → \(binding.action)"
  }

  private static func text(_ conditions: DeviceConditions) -> String {
    var parts = conditions.names.isEmpty ? [] : ["name \(conditions.names.joined(separator: " or "))"]
    if !conditions.identities.isEmpty {
      parts.append("id \(conditions.identities.map(text).joined(separator: " or "))")
    }
    if let bus = conditions.bus { parts.append("bus \(bus)") }
    if let uniq = conditions.uniq { parts.append("uniq \(uniq)") }
    if let phys = conditions.phys { parts.append("phys \(phys)") }
    return parts.joined(separator: ", ")
  }

  private static func text(_ identity: DeviceConditions.Identity) -> String {
    hexadecimal(identity.vendor) + ":" + hexadecimal(identity.product)
  }
}

/// Four digits, as `lsusb` writes them.
func hexadecimal(_ number: UInt16) -> String {
  let digits = String(number, radix: 16)
  return String(repeating: "0", count: 4 - digits.count) + digits
}
