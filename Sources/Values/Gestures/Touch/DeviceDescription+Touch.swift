extension DeviceDescription {
  /// Whether the device can send an event code, according to its description.
  public func sends(_ type: UInt16, _ code: UInt16) -> Bool { codes[type]?.contains(code) ?? false }

  /// Whether the device has keys, switches or directions.
  public var hasKeys: Bool {
    codes[EventCode.EV_KEY]?.contains(where: canPress) ?? false
      || codes[EventCode.EV_SW]?.isEmpty == false
      || codes[EventCode.EV_ABS]?.contains { EventCode.ABS_HAT0X...EventCode.ABS_HAT3Y ~= $0 } ?? false
  }

  /// Whether a key code of the device can be pressed, rather than only state the kind of a touch.
  func canPress(_ code: UInt16) -> Bool { !EventCode.isTouchState(code) || isGameBoard }

  /// Whether the device has so many buttons of a game that the codes of touches are buttons as well: arcade boards
  /// number theirs from BTN_TRIGGER or BTN_SOUTH on (recalbox/recalbox-os#524). Pads and screens have a property that
  /// excludes this.
  var isGameBoard: Bool {
    let isSurface = [EventCode.INPUT_PROP_POINTER, EventCode.INPUT_PROP_DIRECT].contains(where: properties.contains)
    return !isSurface && (0x130...0x13f as ClosedRange<UInt16>).allSatisfy { sends(EventCode.EV_KEY, $0) }
  }

  /// Whether the device has a wheel or a dial.
  public var hasWheels: Bool {
    let wheels = [
      EventCode.REL_WHEEL, EventCode.REL_HWHEEL, EventCode.REL_DIAL, EventCode.REL_WHEEL_HI_RES,
      EventCode.REL_HWHEEL_HI_RES,
    ]
    return wheels.contains { sends(EventCode.EV_REL, $0) } || isRotaryEncoder
  }

  /// The device's touch surface, without calibration.
  public var touch: TouchSupport { touch(.none) }

  /// Finds the touch surface, also of a touchpad and of a drawing tablet.
  ///
  /// - Parameters:
  ///   - calibration: the mounting of the surface.
  ///   - size: the size, for a device that states none or a wrong one; nil for the size that the device states.
  public func touch(_ calibration: Calibration, size: PhysicalSize? = nil) -> TouchSupport {
    // The axes of large joysticks extend into the touch codes; the axis just below these identifies a joystick
    // (libevdev uses the same test).
    let isJoystick = has(EventCode.ABS_MT_SLOT - 1)
    // Slots have no meaning without tracking IDs.
    let lacksIDs = has(EventCode.ABS_MT_SLOT) && !has(EventCode.ABS_MT_TRACKING_ID) && hasSingleTouch
    if !isJoystick, !lacksIDs, has(EventCode.ABS_MT_POSITION_X), has(EventCode.ABS_MT_POSITION_Y) {
      guard has(EventCode.ABS_MT_SLOT) else {
        return surface(.typeA, EventCode.ABS_MT_POSITION_X, EventCode.ABS_MT_POSITION_Y, calibration, size)
      }
      let highest = Int(axes[EventCode.ABS_MT_SLOT]?.maximum ?? 0)
      let count = min(max(highest, 0) + 1, TouchSurface.slotLimit)
      return surface(.typeB(slots: count), EventCode.ABS_MT_POSITION_X, EventCode.ABS_MT_POSITION_Y, calibration, size)
    }
    guard hasSingleTouch else { return .none }
    return surface(.single, EventCode.ABS_X, EventCode.ABS_Y, calibration, size)
  }

  private func has(_ code: UInt16) -> Bool { axes[code] != nil || sends(EventCode.EV_ABS, code) }

  /// Whether the device has the axes and the key of a surface with one contact.
  private var hasSingleTouch: Bool {
    sends(EventCode.EV_KEY, EventCode.BTN_TOUCH) && has(EventCode.ABS_X) && has(EventCode.ABS_Y) && !isGameBoard
  }

  /// The surface by its axes for one contact, for a device with slots; nil without such axes. On a device with a pen
  /// these axes are the pen's.
  func singleTouch(_ calibration: Calibration, size: PhysicalSize?) -> TouchSurface? {
    guard case .usable(let several) = touch(calibration, size: size), case .typeB = several.reporting, hasSingleTouch,
      !sends(EventCode.EV_KEY, EventCode.BTN_TOOL_PEN),
      case .usable(let surface) = surface(.single, EventCode.ABS_X, EventCode.ABS_Y, calibration, size)
    else { return nil }
    return surface
  }

  private func surface(
    _ reporting: TouchSurface.Reporting, _ x: UInt16, _ y: UInt16, _ calibration: Calibration, _ size: PhysicalSize?
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
        reporting: reporting, isSemiMT: properties.contains(EventCode.INPUT_PROP_SEMI_MT), x: xSound, y: ySound,
        palm: palm(xSound, ySound, perMillimetre: xAxis.resolution), calibration: calibration, size: size))
  }

  /// The sizes (ABS_MT_TOUCH_MAJOR) of contacts that are not fingers.
  ///
  /// Sizes should have the unit of the positions. If the axis of sizes is about as long as an axis of positions, it is
  /// assumed to have that unit: above 30 mm, or a quarter of the longer side, a contact is not a thumb. With any other
  /// unit, only the upper fifth of a fine scale is not a finger: thumbs were never observed to reach it.
  private func palm(
    _ x: TouchSurface.Axis, _ y: TouchSurface.Axis, perMillimetre: Int32
  ) -> ClosedRange<Int32>? {
    guard let sizes = axes[EventCode.ABS_MT_TOUCH_MAJOR], sizes.maximum > 0 else { return nil }
    let longer = max(x.range, y.range)
    if Double(sizes.maximum) >= longer / 2, Double(sizes.maximum) <= longer * 2 {
      let isSized = (40...4000).contains(x.size)
      let least = Int32(exactly: (isSized ? 30 * Double(perMillimetre) : longer / 4).rounded(.up))
      return least.flatMap { $0 <= sizes.maximum ? $0...sizes.maximum : nil }
    }
    return sizes.maximum >= 100 ? sizes.maximum - sizes.maximum / 5...sizes.maximum : nil
  }
}
