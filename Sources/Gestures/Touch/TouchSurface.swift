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

  /// Whether two contacts are the corners of a box around all fingers, which jump whenever a finger comes or goes.
  let isBox: Bool

  /// A contact that the device calls this large is no finger; nil where its sizes cannot be understood.
  let palm: Int32?

  /// What the whole surface measures, across and down as the person sees it.
  private let extent: Stroke.Vector
  private let x: Axis
  private let y: Axis
  private let calibration: Calibration
  private let across: Row
  private let down: Row

  /// One row of what takes the device's numbers to a place in `unit`.
  private struct Row: Equatable, Sendable {
    var x: Double
    var y: Double
    var offset: Double
  }

  /// The most contacts that are kept; the largest frames on the market report forty.
  static let slotLimit = 64

  /// One axis with a range that was found to be sound.
  struct Axis: Equatable, Sendable {
    let minimum: Double
    let range: Double
    /// Millimetres; 0 where the device does not say.
    let size: Double

    func fraction(_ value: Int32) -> Double { (Double(value) - minimum) / range }
  }

  init(reporting: Reporting, isBox: Bool, x: Axis, y: Axis, palm: Int32?, calibration: Calibration) {
    self.reporting = reporting
    self.isBox = isBox
    self.palm = palm
    self.x = x
    self.y = y
    self.calibration = calibration
    // Devices are known that state no size, 0 mm, or the size of a house. On a surface smaller than a telephone a
    // finger's reach, not its millimetres, is what counts.
    let isBelievable = [x, y].allSatisfy { (40...4000).contains($0.size) }
    unit = isBelievable ? .millimetres : .fraction
    // A calibration may lay the surface over a part of what the person sees; that makes no stroke on it shorter.
    func measure(_ alongX: Double, _ alongY: Double) -> Double {
      let scale = max(abs(alongX), abs(alongY))
      guard isBelievable else { return 1 / scale }
      return (abs(alongX) >= abs(alongY) ? x.size : y.size) / scale
    }
    let c = calibration
    extent = Stroke.Vector(x: measure(c.a, c.b), y: measure(c.d, c.e))
    func row(_ alongX: Double, _ alongY: Double, _ offset: Double, _ extent: Double) -> Row {
      let start = offset - alongX * x.minimum / x.range - alongY * y.minimum / y.range
      return Row(x: extent * alongX / x.range, y: extent * alongY / y.range, offset: extent * start)
    }
    across = row(c.a, c.b, c.c, extent.x)
    down = row(c.d, c.e, c.f, extent.y)
  }

  /// Where a contact is, in `unit`.
  func place(_ x: Int32, _ y: Int32) -> Stroke.Vector {
    let (x, y) = (Double(x), Double(y))
    return Stroke.Vector(
      x: across.x * x + across.y * y + across.offset, y: down.x * x + down.y * y + down.offset)
  }

  /// The same as fractions of what the person sees.
  func position(_ x: Int32, _ y: Int32) -> Gesture.Position {
    let (x, y) = (self.x.fraction(x), self.y.fraction(y))
    let c = calibration
    return Gesture.Position(
      x: min(max(c.a * x + c.b * y + c.c, 0), 1), y: min(max(c.d * x + c.e * y + c.f, 0), 1))
  }

  /// Measures a length that is given for either unit.
  func measure(_ length: Timing.Length) -> Double {
    switch unit {
    case .millimetres: length.millimetres ?? length.fraction * min(extent.x, extent.y)
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
