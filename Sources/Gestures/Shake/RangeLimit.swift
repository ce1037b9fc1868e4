/// Knows where the sensor's range ends: told, or found out from the largest value coming back again and again.
struct RangeLimit {
  /// No sensor's range ends below ±2 g, even where it measures a fifth too little.
  private static let least = 15.0
  /// So often must exactly the largest value have come before it is taken for the end of the range.
  private static let repeats = 3

  private let stated: Double?
  private var largest = 0.0
  private var count = 0

  init(stated: Double?) { self.stated = stated }

  /// The end of the range in m/s², where it is known.
  var value: Double? { stated ?? (count >= Self.repeats && largest >= Self.least ? largest : nil) }

  /// Takes a sample in, and returns which of its axes are at the end of the range, one bit each.
  mutating func clippedAxes(of force: Vector) -> UInt8 {
    let extent = force.extent
    if extent > largest * (1 + 1e-6) {
      (largest, count) = (extent, 1)
    } else if extent >= largest * (1 - 1e-6) {
      count = min(count + 1, Self.repeats)
    }
    guard let value else { return 0 }
    // The two ends of a range differ by a step of the sensor's.
    let end = value * 0.99
    return (abs(force.x) >= end ? 1 : 0) | (abs(force.y) >= end ? 2 : 0) | (abs(force.z) >= end ? 4 : 0)
  }
}
