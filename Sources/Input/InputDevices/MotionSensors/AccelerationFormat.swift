/// Turns the scans of an accelerometer's buffer into samples.
public struct AccelerationFormat: Equatable, Sendable {
  /// The size of a scan in bytes.
  public var scanSize: Int { layout.byteCount }

  private let layout: ScanLayout
  private let numbers: [ScanNumber]
  private let scales: [AxisScale]

  /// The channels of an accelerometer, in order.
  public static let axes = ["in_accel_x", "in_accel_y", "in_accel_z"]

  /// - Parameter scales: the scales of the three axes.
  public init(layout: ScanLayout, scales: [AxisScale]) throws(ScanElement.Problem) {
    let numbers = Self.axes.compactMap { layout.number($0) }
    guard numbers.count == 3, scales.count == 3 else { throw .init("it does not report x, y and z in one scan") }
    self.layout = layout
    self.numbers = numbers
    self.scales = scales
  }

  /// The scan that begins at `start`: its stamp, if it has one, and the acceleration. Nil if the scan is cut off.
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

/// The conversion of a sensor's numbers: (raw + offset) · scale is m/s².
public struct AxisScale: Equatable, Sendable {
  public let offset: Double
  public let scale: Double

  /// Parses the content of the attributes; a missing offset is 0.
  ///
  /// - Returns: nil if the scale is missing, 0 or no number, because the sensor's readings have no meaning then.
  public init?(scale: String?, offset: String?) {
    guard let scale = scale.flatMap({ Double($0) }), scale.isFinite, scale != 0 else { return nil }
    let offset = offset.flatMap { Double($0) } ?? 0
    guard offset.isFinite else { return nil }
    self.scale = scale
    self.offset = offset
  }

  public func acceleration(_ raw: Double) -> Double { (raw + offset) * scale }
}
