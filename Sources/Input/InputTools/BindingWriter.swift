package import Bindings
package import Gestures
import InputDaemon
package import InputDevices

/// Writes a learnt binding into the text of a configuration.
package struct BindingWriter {
  /// The gesture that was made.
  package let gesture: Gesture
  /// The description of the node that reported the gesture.
  package let description: DeviceDescription
  /// The device that reported the gesture.
  package let device: PhysicalDevice
  /// The zone of the screen; nil for anywhere.
  package let zone: Zone?
  /// Whether the device is grabbed, so that no other program receives its events.
  package let takesDevice: Bool
  package let all: [PhysicalDevice]

  package init(
    gesture: Gesture, description: DeviceDescription, device: PhysicalDevice, zone: Zone? = nil,
    takesDevice: Bool = false, all: [PhysicalDevice]
  ) {
    self.gesture = gesture
    self.zone = zone
    self.takesDevice = takesDevice
    self.description = description
    self.device = device
    self.all = all
  }

  package struct Result {
    package let text: String
    /// The number of the first written line, from 1.
    package let line: Int
    package let configuration: Configuration
    package let rule: AppliedRule
    /// The defaults that applied to the device while it had no bindings.
    package let lostDefaults: [Binding]
  }

  /// The text with the binding. Checks the new text first.
  ///
  /// - Throws: `ConfigurationErrors` if the text is or would be invalid; ``NotInForce`` if another part of the text has
  ///   priority over the binding; ``Nameless`` if the key has no name.
  package func write(_ action: Action, into text: String, file: String) throws -> Result {
    let keys = KeyNames(code: { EvdevKeys.code(of: $0) }, known: EvdevKeys.names)
    let before = try Configuration(Array(text.utf8), file: file, keys: keys)
    let rule = ownRule(in: before)
    guard let binding = BindingText.binding(of: gesture, action, in: zone) else { throw Nameless() }
    let existing = rule?.bindings.first { $0.gesture == binding.gesture && $0.target == binding.target }
    var edited = ConfigurationText(text)
    var line = edited.bind(
      rule: rule?.line, existing: existing?.line, action: action,
      device: deviceLines, binding: BindingText.lines(binding))
    if takesDevice, let rule, !rule.grab { line += edited.setGrab(below: rule.line) }
    let after = try Configuration(Array(edited.description.utf8), file: file, keys: keys)
    if case .unused(let reason) = after.rule(for: description), case .grabbedByPattern = reason {
      throw NotInForce(reason: "\(reason)")
    }
    guard case .used(let applied) = after.rule(for: description),
      applied.action(for: gesture) == (action.verb == .nothing ? nil : action)
    else { throw NotInForce() }
    var lost: [Binding] = []
    if case .used(let former) = before.rule(for: description) {
      lost = former.bindings.filter { $0.line == nil && !applied.bindings.contains($0) }
    }
    return Result(text: edited.description, line: line, configuration: after, rule: applied, lostDefaults: lost)
  }

  /// The lines for a file that does not mention the device.
  package func lines(_ action: Action) -> [String] {
    let binding = BindingText.binding(of: gesture, action, in: zone).map(BindingText.lines) ?? []
    return deviceLines + binding.map { "  " + $0 }
  }

  private var deviceLines: [String] {
    BindingText.device(device, description, among: all)
      + (takesDevice ? ["grab = true  # no other program sees its keys"] : [])
  }

  /// Neither the kernel nor the device has a name for the key.
  package struct Nameless: Error, CustomStringConvertible {
    package init() {}

    package let description = "Neither the kernel nor the device has a name for this key, so nothing can bind it."
  }

  /// Another part of the configuration has priority over the new binding.
  package struct NotInForce: Error, CustomStringConvertible {
    /// The reason why the device would not be used; nil if another binding has priority.
    var reason: String?

    package var description: String {
      reason.map { "The binding was not written, because the device would not be used: \($0)." }
        ?? "The binding was not written: another binding in the configuration has priority over it."
    }
  }

  /// The `[[device]]` that the device has in a configuration.
  package func ownRule(in configuration: Configuration) -> DeviceRule? {
    guard case .used(let rule) = configuration.rule(for: description), case .configuration(_, let line) = rule.source
    else { return nil }
    return configuration.rules.first { $0.line == line }
  }
}
