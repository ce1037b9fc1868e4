/// Turns the directions of hats (`ABS_HAT0X` to `ABS_HAT3Y`) and of a gamepad's stick (`ABS_X`, `ABS_Y`) into keys.
struct DirectionKeys: Sendable {
  private struct Axis {
    let middle: Double
    let half: Double
    /// The code of the axis's lower end.
    let low: UInt16
    /// The code of the axis's upper end.
    let high: UInt16
    /// The threshold of a press, as a fraction of the half axis.
    let on: Double
    /// The threshold of a release; its distance from ``on`` is the hysteresis.
    let off: Double
    var isLow = false
    var isHigh = false
  }

  private var axes: [UInt16: Axis] = [:]

  init(_ device: DeviceDescription) {
    for code in EventCode.ABS_HAT0X...EventCode.ABS_HAT3Y where device.sends(EventCode.EV_ABS, code) {
      let hat = (code - EventCode.ABS_HAT0X) / 2 * 4
      // A touchpad is known that reports a position as a hat, with the noise of a stick (KarsMulder/evsieve#67).
      let hasSteps = device.axes[code].map { Int64($0.maximum) - Int64($0.minimum) > 2 } ?? false
      axes[code] = Self.axis(
        device.axes[code], first: KeyCode.firstDirection + hat, isAcross: code % 2 == 0, on: hasSteps ? 0.75 : 0.5,
        off: 0.5)
    }
    // On a device that is not a game controller, these axes are the position of a pointer or a finger.
    let hasGameButtons = device.codes[EventCode.EV_KEY]?.contains { (0x120...0x13f).contains($0) } ?? false
    guard hasGameButtons, device.touch == .none else { return }
    for code in [EventCode.ABS_X, EventCode.ABS_Y] where device.axes[code] != nil {
      axes[code] = Self.axis(
        device.axes[code], first: KeyCode.firstStick, isAcross: code == EventCode.ABS_X, on: 0.75, off: 0.5)
    }
  }

  var isEmpty: Bool { axes.isEmpty }

  private static func axis(
    _ axis: DeviceDescription.Axis?, first: UInt16, isAcross: Bool, on: Double, off: Double
  ) -> Axis {
    // The directions have the order up, down, left, right.
    let low = first + (isAcross ? 2 : 0)
    let isSound = axis.map { $0.minimum < $0.maximum } ?? false
    let (minimum, maximum) = isSound ? (Double(axis?.minimum ?? -1), Double(axis?.maximum ?? 1)) : (-1, 1)
    return Axis(
      middle: (minimum + maximum) / 2, half: (maximum - minimum) / 2, low: low, high: low + 1, on: on, off: off)
  }

  /// Handles one event and returns the directions that it presses or releases.
  mutating func take(_ event: InputEvent) -> [(code: UInt16, isDown: Bool)] {
    guard event.type == EventCode.EV_ABS, var axis = axes[event.code] else { return [] }
    let out = (Double(event.value) - axis.middle) / axis.half
    let isLow = -out >= (axis.isLow ? axis.off : axis.on)
    let isHigh = out >= (axis.isHigh ? axis.off : axis.on)
    var changes: [(code: UInt16, isDown: Bool)] = []
    if axis.isLow, !isLow { changes.append((axis.low, false)) }
    if axis.isHigh, !isHigh { changes.append((axis.high, false)) }
    if !axis.isLow, isLow { changes.append((axis.low, true)) }
    if !axis.isHigh, isHigh { changes.append((axis.high, true)) }
    axis.isLow = isLow
    axis.isHigh = isHigh
    axes[event.code] = axis
    return changes
  }
}

extension DeviceDescription {
  /// The buttons of a D-pad that the device also reports as its first hat (Documentation/input/gamepad.rst, xpad.c):
  /// BTN_DPAD_UP to BTN_DPAD_RIGHT, or BTN_TRIGGER_HAPPY1 to 4.
  var buttonsOfHat: Set<UInt16> {
    let isHat = [EventCode.ABS_HAT0X, EventCode.ABS_HAT0X + 1].allSatisfy { code in
      sends(EventCode.EV_ABS, code) && axes[code].map { Int64($0.maximum) - Int64($0.minimum) == 2 } ?? false
    }
    guard isHat else { return [] }
    // If a joystick or gamepad has more than 16 buttons (the last of these is BTN_DEAD or 0x13f), the further ones have
    // the codes from BTN_TRIGGER_HAPPY1 on (hid-input.c).
    let hasMore = [0x12f, 0x13f].contains { sends(EventCode.EV_KEY, $0) }
    let all: [ClosedRange<UInt16>] = hasMore ? [0x220...0x223] : [0x220...0x223, 0x2c0...0x2c3]
    return Set(all.filter { $0.allSatisfy { sends(EventCode.EV_KEY, $0) } }.joined())
  }
}
