/// The touch surface of a device: its protocol for contacts, and the unit of distances on it.
public struct TouchSurface: Equatable, Sendable {
  /// The three ways in which the kernel reports contacts (Documentation/input/multi-touch-protocol.rst).
  public enum Reporting: Equatable, Sendable {
    /// Protocol B: each contact has a slot and a tracking ID. The table is bounded, whatever the device claims.
    case typeB(slots: Int)
    /// Protocol A: every frame lists all contacts, without IDs.
    case typeA
    /// One contact: BTN_TOUCH with ABS_X and ABS_Y.
    case single
  }

  /// The unit of measured distances.
  public enum Unit: Equatable, Sendable {
    case millimetres
    /// The surface's shorter side is 1, because its size is unknown. If its shape is also unknown, each side is 1.
    case shorterSide
  }

  public let reporting: Reporting
  public let unit: Unit

  /// Whether two contacts are the corners of a box around all fingers (INPUT_PROP_SEMI_MT). The corners jump whenever a
  /// finger lands or lifts.
  let isSemiMT: Bool

  /// The sizes of contacts that are not fingers, up to the largest size that the device states; nil if sizes have no
  /// meaning.
  let palm: ClosedRange<Int32>?

  /// The size of the whole surface, across and down as the person sees it.
  let extent: Stroke.Vector

  /// The largest factor by which one side may be longer than in `extent`; 1 if the shape is known.
  let aspectDoubt: Double
  private let x: Axis
  private let y: Axis
  private let calibration: Calibration
  private let across: Row
  private let down: Row

  /// One row of the matrix that converts device coordinates to `unit`.
  private struct Row: Equatable, Sendable {
    var x: Double
    var y: Double
    var offset: Double
  }

  /// The shape of most monitors.
  private static let usualAspect = 16.0 / 9

  /// The maximum number of contacts; the largest frames on the market report forty.
  static let slotLimit = 64

  /// One axis with a valid range.
  struct Axis: Equatable, Sendable {
    let minimum: Double
    let range: Double
    /// The length in millimetres; 0 if the device states none.
    let size: Double

    func fraction(_ value: Int32) -> Double { (Double(value) - minimum) / range }
  }

  /// - Parameter size: the size of the whole surface along its axes, in millimetres; nil to use the axes' resolution.
  init(
    reporting: Reporting, isSemiMT: Bool, x: Axis, y: Axis, palm: ClosedRange<Int32>?, calibration: Calibration,
    size: PhysicalSize?
  ) {
    self.reporting = reporting
    self.isSemiMT = isSemiMT
    self.palm = palm
    self.x = x
    self.y = y
    self.calibration = calibration
    let known = size ?? PhysicalSize(width: x.size, height: y.size)
    unit = known == nil ? .shorterSide : .millimetres
    let shape = known.map { Stroke.Vector(x: $0.width, y: $0.height) } ?? Self.shape(x.range, y.range)
    aspectDoubt = shape == nil ? Self.usualAspect : 1
    let size = shape ?? Stroke.Vector(x: 1, y: 1)
    // A calibration may map the surface to a part of the display. That does not shorten a stroke.
    func measure(_ alongX: Double, _ alongY: Double) -> Double {
      (abs(alongX) >= abs(alongY) ? size.x : size.y) / max(abs(alongX), abs(alongY))
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

  /// The sides of a surface of unknown size; the shorter side is 1. Nil if the shape is unknown as well.
  ///
  /// Axes with different ranges have the same unit, such as a pixel or 0.1 mm. Axes with equal ranges may have
  /// different units: the panel can be wide or tall.
  private static func shape(_ x: Double, _ y: Double) -> Stroke.Vector? {
    let aspect = x / y
    guard (1.05...2.5).contains(max(aspect, 1 / aspect)) else { return nil }
    return Stroke.Vector(x: max(aspect, 1), y: max(1 / aspect, 1))
  }

  /// Whether a contact at these coordinates can be real. Panels report positions a little beyond their axes; farther
  /// than a twentieth of the range outside, where libinput warns, no finger can touch.
  func contains(_ x: Int32, _ y: Int32) -> Bool {
    Self.possible.contains(self.x.fraction(x)) && Self.possible.contains(self.y.fraction(y))
  }

  private static let possible = -0.05...1.05

  /// Whether coordinates outside of the surface would be on the surface if the device's axes had each other's range.
  func isTransposed(_ x: Int32, _ y: Int32) -> Bool {
    let (alongY, alongX) = (self.y.fraction(x), self.x.fraction(y))
    return (0...1).contains(alongY) && (0...1).contains(alongX)
  }

  /// The position of a contact in `unit`.
  func place(_ x: Int32, _ y: Int32) -> Stroke.Vector {
    let (x, y) = (Double(x), Double(y))
    return Stroke.Vector(
      x: across.x * x + across.y * y + across.offset, y: down.x * x + down.y * y + down.offset)
  }

  /// The position of a contact as the person sees it.
  func position(_ x: Int32, _ y: Int32) -> Gesture.Position {
    let (x, y) = (self.x.fraction(x), self.y.fraction(y))
    let c = calibration
    return Gesture.Position(
      x: min(max(c.a * x + c.b * y + c.c, 0), 1), y: min(max(c.d * x + c.e * y + c.f, 0), 1))
  }

  /// The position at a place in `unit`.
  func position(of place: Stroke.Vector) -> Gesture.Position {
    Gesture.Position(x: min(max(place.x / extent.x, 0), 1), y: min(max(place.y / extent.y, 0), 1))
  }

  /// Converts a length to the unit of the surface.
  func measure(_ length: Timing.Length) -> Double {
    let fraction = length.fraction * min(extent.x, extent.y)
    return unit == .millimetres ? length.millimetres ?? fraction : fraction
  }
}

/// The width and height of a touch surface in millimetres.
public struct PhysicalSize: Equatable, Sendable {
  public let width: Double
  public let height: Double

  /// Nil if a side is not 40 to 4000 mm long. Devices are known that state no size, 0 mm, or the size of a house; on a
  /// surface smaller than a telephone, limits in millimetres do not apply.
  public init?(width: Double, height: Double) {
    guard (40...4000).contains(width), (40...4000).contains(height) else { return nil }
    self.width = width
    self.height = height
  }

  /// The size of the surface with its axes exchanged.
  public var turned: PhysicalSize { PhysicalSize(height: width, width: height) }

  private init(height: Double, width: Double) {
    self.width = width
    self.height = height
  }
}

/// The touch surface that a device's description states.
public enum TouchSupport: Equatable, Sendable {
  /// The device has no touch surface.
  case none
  case usable(TouchSurface)
  /// The device claims a touch surface whose axes are invalid; the reason is a sentence for its owner.
  case unusable(reason: String)
}
