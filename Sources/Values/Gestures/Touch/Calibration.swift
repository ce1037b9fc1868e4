/// The mounting of a touch surface: converts a position of the device to the position that the person sees.
///
/// Both are fractions of the surface, so the matrices of libinput's documentation apply unchanged.
public struct Calibration: Equatable, Sendable {
  /// x' = a·x + b·y + c, y' = d·x + e·y + f.
  let a, b, c, d, e, f: Double

  /// The surface is not turned.
  public static let none = Calibration(a: 1, b: 0, c: 0, d: 0, e: 1, f: 0)

  private init(a: Double, b: Double, c: Double, d: Double, e: Double, f: Double) {
    (self.a, self.b, self.c, self.d, self.e, self.f) = (a, b, c, d, e, f)
  }

  /// A quarter turn, as a surface can be mounted.
  public enum Turn: Int, CaseIterable, Sendable {
    case none = 0
    /// The upper edge is on the right.
    case right = 90
    case over = 180
    case left = 270
  }

  /// Exchanges the axes, then inverts them, then turns the whole surface clockwise.
  public init(swapsAxes: Bool = false, invertsX: Bool = false, invertsY: Bool = false, turn: Turn = .none) {
    var sum = Self.none
    if swapsAxes { sum = Self(a: 0, b: 1, c: 0, d: 1, e: 0, f: 0) }
    if invertsX { sum = sum.then(Self(a: -1, b: 0, c: 1, d: 0, e: 1, f: 0)) }
    if invertsY { sum = sum.then(Self(a: 1, b: 0, c: 0, d: 0, e: -1, f: 1)) }
    switch turn {
    case .none: break
    case .right: sum = sum.then(Self(a: 0, b: -1, c: 1, d: 1, e: 0, f: 0))
    case .over: sum = sum.then(Self(a: -1, b: 0, c: 1, d: 0, e: -1, f: 1))
    case .left: sum = sum.then(Self(a: 0, b: 1, c: 0, d: -1, e: 0, f: 1))
    }
    self = sum
  }

  /// Parses the udev property `LIBINPUT_CALIBRATION_MATRIX`: six numbers, row by row. Nil if it is no such text, or if
  /// the matrix would map the whole surface to a line.
  public init?(matrix text: String) {
    let words = text.split(whereSeparator: \.isWhitespace)
    let numbers = words.compactMap { Double($0) }
    guard words.count == 6, numbers.count == 6, numbers.allSatisfy({ abs($0) <= 1000 }) else { return nil }
    self.init(a: numbers[0], b: numbers[1], c: numbers[2], d: numbers[3], e: numbers[4], f: numbers[5])
    guard abs(a * e - b * d) > 1e-6 else { return nil }
  }

  /// Whether the device's x axis is vertical for the person.
  package var exchangesAxes: Bool { abs(b) > abs(a) }

  private func then(_ next: Calibration) -> Calibration {
    Calibration(
      a: next.a * a + next.b * d, b: next.a * b + next.b * e, c: next.a * c + next.b * f + next.c,
      d: next.d * a + next.e * d, e: next.d * b + next.e * e, f: next.d * c + next.e * f + next.f)
  }
}
