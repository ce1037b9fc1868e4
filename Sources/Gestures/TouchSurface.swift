/// The touch surface of a device: how its contacts are reported and how distances on it are measured.
public struct TouchSurface: Equatable, Sendable {
  /// The three ways in which the kernel reports contacts (Documentation/input/multi-touch-protocol.rst).
  public enum Reporting: Equatable, Sendable {
    /// Protocol B: each contact has a slot and a tracking id. The table is bounded whatever the device claims.
    case slots(count: Int)
    /// Protocol A: every frame lists all contacts anew, without saying which is which.
    case anonymous
    /// One contact: BTN_TOUCH with ABS_X and ABS_Y.
    case single
  }

  /// The unit of measured distances.
  public enum Unit: Equatable, Sendable {
    /// Both axes state a resolution, and a believable size comes of it.
    case millimetres
    /// Each axis runs from 0 to 1.
    case fraction
  }

  public let reporting: Reporting
  public let unit: Unit
  let x: Axis
  let y: Axis

  /// The most contacts that are kept; the largest frames on the market report forty.
  static let slotLimit = 64

  /// One axis with a range that was found to be sound.
  struct Axis: Equatable, Sendable {
    let minimum: Double
    let range: Double
    /// What one step of the device's value measures in `unit`.
    let step: Double

    func fraction(_ value: Int32) -> Double { min(max((Double(value) - minimum) / range, 0), 1) }
  }

  /// Measures a length that is given for either unit.
  func measure(_ length: Timing.Length) -> Double {
    switch unit {
    case .millimetres: length.millimetres
    case .fraction: length.fraction
    }
  }
}

/// What a device's description says about its touch surface.
public enum TouchSupport: Equatable, Sendable {
  /// The device has no touch surface.
  case none
  case usable(TouchSurface)
  /// The device claims a touch surface whose axes make no sense; the reason is a sentence for the person who owns it.
  case unusable(reason: String)
}

extension DeviceDescription {
  /// Whether the device lists an event code among those that it can send.
  public func sends(_ type: UInt16, _ code: UInt16) -> Bool { codes[type]?.contains(code) ?? false }

  /// Finds the device's touch surface, whatever else the device is: a touchpad and a drawing tablet have one too.
  public var touch: TouchSupport {
    func has(_ code: UInt16) -> Bool { axes[code] != nil || sends(EventCode.absolute, code) }
    // Joysticks with very many axes run into the touch codes; having the axis just below gives them away (libevdev
    // tells them apart the same way).
    let isJoystick = has(EventCode.slot - 1)
    if !isJoystick, has(EventCode.contactX), has(EventCode.contactY) {
      guard has(EventCode.slot) else { return surface(.anonymous, EventCode.contactX, EventCode.contactY) }
      let highest = Int(axes[EventCode.slot]?.maximum ?? 0)
      let count = min(max(highest, 0) + 1, TouchSurface.slotLimit)
      return surface(.slots(count: count), EventCode.contactX, EventCode.contactY)
    }
    guard sends(EventCode.key, EventCode.touch), has(EventCode.x), has(EventCode.y) else { return .none }
    return surface(.single, EventCode.x, EventCode.y)
  }

  private func surface(_ reporting: TouchSurface.Reporting, _ x: UInt16, _ y: UInt16) -> TouchSupport {
    guard let xAxis = axes[x], let yAxis = axes[y] else {
      return .unusable(reason: "it does not say how far its touch axes reach")
    }
    for (name, axis) in [("x", xAxis), ("y", yAxis)] where axis.maximum <= axis.minimum {
      return .unusable(
        reason: "its touch axis \(name) runs from \(axis.minimum) to \(axis.maximum), which is no range")
    }
    let ranges = [xAxis, yAxis].map { Double($0.maximum) - Double($0.minimum) }
    let sizes = zip(ranges, [xAxis, yAxis]).map { $1.resolution > 0 ? $0 / Double($1.resolution) : 0 }
    // Devices are known that state no size, 0 mm, or the size of a house. On a surface smaller than a telephone a
    // finger's reach, not its millimetres, is what counts.
    let isBelievable = sizes.allSatisfy { (40...4000).contains($0) }
    let unit = isBelievable ? TouchSurface.Unit.millimetres : .fraction
    let extents = isBelievable ? sizes : [1, 1]
    return .usable(
      TouchSurface(
        reporting: reporting, unit: unit,
        x: .init(minimum: Double(xAxis.minimum), range: ranges[0], step: extents[0] / ranges[0]),
        y: .init(minimum: Double(yAxis.minimum), range: ranges[1], step: extents[1] / ranges[1])))
  }
}
