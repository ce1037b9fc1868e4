/// What a sensor's numbers mean: (raw + offset) · scale is m/s².
public struct AxisScale: Equatable, Sendable {
  public let offset: Double
  public let scale: Double

  /// Reads the content of the attributes; an offset that is not there is 0.
  ///
  /// - Returns: nil where the scale is missing, 0 or no number: nothing can be made of such a sensor's readings.
  public init?(scale: String?, offset: String?) {
    guard let scale = scale.flatMap({ Double($0) }), scale.isFinite, scale != 0 else { return nil }
    let offset = offset.flatMap { Double($0) } ?? 0
    guard offset.isFinite else { return nil }
    self.scale = scale
    self.offset = offset
  }

  /// The acceleration behind a reading.
  public func acceleration(_ raw: Double) -> Double { (raw + offset) * scale }

  /// The largest acceleration that can be told where this is the largest reading.
  func range(_ element: ScanElement) -> Double { element.largest * abs(scale) }
}
