/// A random number generator that gives the same numbers for the same seed: SplitMix64 (Steele, Lea and Flood, 2014).
public struct SeededRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  public init(seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  public mutating func whole<Number: FixedWidthInteger>(_ range: ClosedRange<Number>) -> Number {
    Number.random(in: range, using: &self)
  }

  /// A whole number from 0 up to `bound`, which is at least 1.
  public mutating func below<Number: FixedWidthInteger>(_ bound: Number) -> Number {
    Number.random(in: 0..<bound, using: &self)
  }

  /// Evenly distributed; the same as `Double.random(in:using:)`, which is a hundred times slower in debug builds.
  public mutating func number(_ range: ClosedRange<Double>) -> Double {
    // One of 2⁵³ + 1 steps, all equally likely (Lemire, 2019).
    let (last, count) = (UInt64(1) << 53, (UInt64(1) << 53) + 1)
    var step = next().multipliedFullWidth(by: count)
    if step.low < count {
      let least = (0 &- count) % count
      while step.low < least { step = next().multipliedFullWidth(by: count) }
    }
    if step.high == last { return range.upperBound }
    return (range.upperBound - range.lowerBound) * (Double(step.high) * 0x1p-53) + range.lowerBound
  }

  public mutating func happens(_ probability: Double) -> Bool { number(0...1) < probability }
}
