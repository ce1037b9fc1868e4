extension DeviceDescription {
  /// Whether the device lists an event code among those that it can send.
  public func sends(_ type: UInt16, _ code: UInt16) -> Bool { codes[type]?.contains(code) ?? false }

  /// Whether there is anything on it that can be pressed: keys, switches, directions.
  public var hasKeys: Bool {
    codes[EventCode.key]?.contains { !EventCode.isTouchState($0) } ?? false
      || codes[EventCode.toggle]?.isEmpty == false
      || codes[EventCode.absolute]?.contains { EventCode.firstHat...EventCode.lastHat ~= $0 } ?? false
  }

  /// Whether there is a wheel or a dial on it.
  public var hasWheels: Bool {
    let wheels = [
      EventCode.wheel, EventCode.horizontalWheel, EventCode.dial, EventCode.fineWheel, EventCode.fineHorizontalWheel,
    ]
    return wheels.contains { sends(EventCode.relative, $0) }
  }

  /// The device's touch surface as it was made.
  public var touch: TouchSupport { touch(.none) }

  /// Finds the device's touch surface, whatever else the device is: a touchpad and a drawing tablet have one too.
  public func touch(_ calibration: Calibration) -> TouchSupport {
    func has(_ code: UInt16) -> Bool { axes[code] != nil || sends(EventCode.absolute, code) }
    // Joysticks with very many axes run into the touch codes; having the axis just below gives them away (libevdev
    // tells them apart the same way).
    let isJoystick = has(EventCode.slot - 1)
    if !isJoystick, has(EventCode.contactX), has(EventCode.contactY) {
      guard has(EventCode.slot) else {
        return surface(.anonymous, EventCode.contactX, EventCode.contactY, calibration)
      }
      let highest = Int(axes[EventCode.slot]?.maximum ?? 0)
      let count = min(max(highest, 0) + 1, TouchSurface.slotLimit)
      return surface(.slots(count: count), EventCode.contactX, EventCode.contactY, calibration)
    }
    guard sends(EventCode.key, EventCode.touch), has(EventCode.x), has(EventCode.y) else { return .none }
    return surface(.single, EventCode.x, EventCode.y, calibration)
  }

  private func surface(
    _ reporting: TouchSurface.Reporting, _ x: UInt16, _ y: UInt16, _ calibration: Calibration
  ) -> TouchSupport {
    guard let xAxis = axes[x], let yAxis = axes[y] else {
      return .unusable(reason: "it does not say how far its touch axes reach")
    }
    for (name, axis) in [("x", xAxis), ("y", yAxis)] where axis.maximum <= axis.minimum {
      return .unusable(
        reason: "its touch axis \(name) runs from \(axis.minimum) to \(axis.maximum), which is no range")
    }
    func sound(_ axis: Axis) -> TouchSurface.Axis {
      let range = Double(axis.maximum) - Double(axis.minimum)
      return .init(
        minimum: Double(axis.minimum), range: range,
        size: axis.resolution > 0 ? range / Double(axis.resolution) : 0)
    }
    let (xSound, ySound) = (sound(xAxis), sound(yAxis))
    return .usable(
      TouchSurface(
        reporting: reporting, isBox: properties.contains(EventCode.box), x: xSound, y: ySound,
        palm: palm(xSound, ySound, perMillimetre: xAxis.resolution),
        calibration: calibration))
  }

  /// The size (ABS_MT_TOUCH_MAJOR) from which on a contact is no finger.
  ///
  /// The kernel wants sizes in the unit of the places. Where the axis of sizes reaches about as far as those, it is
  /// believed: 30 mm, or a quarter of the longer side, is more than any thumb. Other devices have a unit of their own;
  /// there only the upper fifth of a fine scale is, for thumbs were never seen to fill it.
  private func palm(_ x: TouchSurface.Axis, _ y: TouchSurface.Axis, perMillimetre: Int32) -> Int32? {
    guard let sizes = axes[EventCode.contactSize], sizes.maximum > 0 else { return nil }
    let longer = max(x.range, y.range)
    if Double(sizes.maximum) >= longer / 2, Double(sizes.maximum) <= longer * 2 {
      let isSized = (40...4000).contains(x.size)
      return Int32(exactly: (isSized ? 30 * Double(perMillimetre) : longer / 4).rounded(.up))
    }
    return sizes.maximum >= 100 ? sizes.maximum - sizes.maximum / 5 : nil
  }
}
