public import Gestures

/// Refuses to grab a device by a pattern if a person operates the machine with it: a keyboard, a pointer, the power
/// button.
///
/// A pattern may match more devices than intended, and a grabbed keyboard cannot correct the file.
extension DeviceConditions {
  /// The reason why a matching device may not be grabbed, as a noun for the device; nil if it may be grabbed.
  func obstacleToGrab(_ device: DeviceDescription) -> String? {
    if name(device) { return nil }
    if device.typesLetters || device.deviceClass == .keyboard { return "a keyboard" }
    switch device.deviceClass {
    case .mouse, .touchpad: return "a \(device.deviceClass.rawValue)"
    case .tablet: return "a pen tablet"
    // A rule may name a kiosk's panel by a part of its name, but not by a pattern for any name.
    case .touchscreen where meansAnyDevice: return "a touchscreen"
    default: return device.isSystemSwitch ? "a power button or lid switch" : nil
    }
  }

  /// Whether the matching conditions contain the ID, full name, address, port or file, not a pattern.
  private func name(_ device: DeviceDescription) -> Bool {
    !identities.isEmpty || names.contains(device.name)
      || uniq.map { $0.lowercased() == device.uniq.lowercased() } == true
      || phys == device.phys || path.map(device.links.contains) == true
  }

  /// Whether there are only patterns for names, one of which consists of wildcards.
  private var meansAnyDevice: Bool {
    uniq == nil && phys == nil && path == nil && label == nil && udev.isEmpty
      && names.contains { $0.allSatisfy { $0 == "*" || $0 == "?" || $0 == " " } }
  }
}

extension DeviceDescription {
  /// Whether the device switches the machine itself (`BUS_HOST`) off or suspends it.
  fileprivate var isSystemSwitch: Bool {
    // KEY_POWER, KEY_SLEEP, KEY_SUSPEND; SW_LID.
    bus == 0x19 && ([116, 142, 205].contains { sends(EventCode.EV_KEY, $0) } || sends(EventCode.EV_SW, 0))
  }

  /// Devices that most machines have, to test a pattern that matches no connected device.
  static let common: [DeviceDescription] = [
    DeviceDescription(
      name: "AT Translated Set 2 keyboard", bus: 0x11, vendor: 1, product: 1, phys: "isa0060/serio0/input0",
      codes: [EventCode.EV_KEY: Set(1...120)]),
    DeviceDescription(name: "USB Keyboard", bus: 3, codes: [EventCode.EV_KEY: Set(1...120)]),
    DeviceDescription(
      name: "USB Optical Mouse", bus: 3,
      codes: [EventCode.EV_KEY: [0x110, 0x111, 0x112], EventCode.EV_REL: [0, 1, 8]]),
    DeviceDescription(name: "Power Button", bus: 0x19, codes: [EventCode.EV_KEY: [116]]),
  ]
}

extension Configuration {
  /// The connected devices that a pattern would grab and that are therefore not used. For a rule that matches no
  /// connected device: a device that most machines have, if the pattern matches it.
  public func refusedGrabs(of connected: [DeviceDescription]) -> [(line: Int, device: DeviceDescription, noun: String)]
  {
    var found: [(line: Int, device: DeviceDescription, noun: String)] = []
    for (devices, isConnected) in [(connected, true), (DeviceDescription.common, false)] {
      for device in devices {
        guard case .unused(.grabbedByPattern(let noun, _, let line)) = rule(for: device),
          isConnected || !found.contains(where: { $0.line == line })
        else { continue }
        found.append((line, device, noun))
      }
    }
    return found.sorted { $0.line < $1.line }
  }
}
