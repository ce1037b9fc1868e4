/// Turns the scans of an accelerometer's buffer into samples.
public struct AccelerationFormat: Equatable, Sendable {
  /// In bytes.
  public var scanSize: Int { layout.byteCount }
  /// The largest acceleration along an axis that the sensor can tell, in m/s²; nil where its numbers have room for far
  /// more than any sensor feels, and so say nothing of it.
  public let range: Double?

  private let layout: ScanLayout
  private let numbers: [ScanNumber]
  private let scales: [AxisScale]

  /// 40 g.
  private static let widestRange = 392.0

  /// The channels of an accelerometer, in order.
  public static let axes = ["in_accel_x", "in_accel_y", "in_accel_z"]

  /// - Parameter scales: those of the three axes.
  public init(layout: ScanLayout, scales: [AxisScale]) throws(ScanElement.Problem) {
    let numbers = Self.axes.compactMap { layout.number($0) }
    guard numbers.count == 3, scales.count == 3 else { throw .init("it does not tell x, y and z together") }
    self.layout = layout
    self.numbers = numbers
    self.scales = scales
    let range = zip(scales, numbers).map { $0.range($1.element) }.min() ?? .infinity
    self.range = range <= Self.widestRange ? range : nil
  }

  /// Whether scans say when they were made.
  public var hasTimestamp: Bool { layout.timestamp != nil }

  /// The scan that begins at `start`: its own stamp, where it has one, and what was felt. Nil where it is cut off.
  public func scan(in bytes: [UInt8], at start: Int) -> (stamp: Int64?, x: Double, y: Double, z: Double)? {
    guard let x = numbers[0].value(in: bytes, scanAt: start), let y = numbers[1].value(in: bytes, scanAt: start),
      let z = numbers[2].value(in: bytes, scanAt: start)
    else { return nil }
    return (
      layout.timestamp?.value(in: bytes, scanAt: start), scales[0].acceleration(Double(x)),
      scales[1].acceleration(Double(y)), scales[2].acceleration(Double(z))
    )
  }
}
