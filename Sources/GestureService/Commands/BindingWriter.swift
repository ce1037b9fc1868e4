package import Bindings
package import Gestures
package import InputDevices

/// Writes what was learnt into the text of a configuration.
package struct BindingWriter {
  /// What was pressed, on which node of which device.
  package let gesture: Gesture
  package let description: DeviceDescription
  package let device: PhysicalDevice
  /// All devices that there are.
  package let all: [PhysicalDevice]

  package init(gesture: Gesture, description: DeviceDescription, device: PhysicalDevice, all: [PhysicalDevice]) {
    self.gesture = gesture
    self.description = description
    self.device = device
    self.all = all
  }

  /// What came of it.
  package struct Result {
    package let text: String
    /// The first line that was written, counted from 1.
    package let line: Int
    package let configuration: Configuration
    package let rule: AppliedRule
  }

  /// The text with the binding in it, which is tried before it is given.
  ///
  /// - Throws: `ConfigurationErrors` where the text is wrong as it is or would be; ``NotInForce`` where something else
  ///   in it goes before the binding.
  package func write(_ action: Action, into text: String, file: String) throws -> Result {
    let keys = KeyNames(code: { EvdevKeys.code(of: $0) }, known: EvdevKeys.names)
    let before = try Configuration(Array(text.utf8), file: file, keys: keys)
    let rule = ownRule(in: before)
    let existing = rule?.bindings.first { $0.gesture == gesture.kind && $0.target == BindingText.target(of: gesture) }
    var edited = ConfigurationText(text)
    let line = edited.bind(
      rule: rule?.line, existing: existing?.line, action: action,
      device: BindingText.device(device, among: all), binding: BindingText.binding(gesture, action))
    let after = try Configuration(Array(edited.description.utf8), file: file, keys: keys)
    guard case .used(let applied) = after.rule(for: description), applied.action(for: gesture) == action else {
      throw NotInForce()
    }
    return Result(text: edited.description, line: line, configuration: after, rule: applied)
  }

  /// Something else in the configuration goes before what would be written.
  package struct NotInForce: Error, CustomStringConvertible {
    package var description: String {
      "Something else in the configuration goes before this binding, so it was not written."
    }
  }

  private func ownRule(in configuration: Configuration) -> DeviceRule? {
    guard case .used(let rule) = configuration.rule(for: description), case .configuration(_, let line) = rule.source
    else { return nil }
    return configuration.rules.first { $0.line == line }
  }
}
