/// Random numbers that are the same at every run: SplitMix64 (Steele, Lea and Flood, 2014).
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

  /// Evenly distributed.
  public mutating func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &self) }

  /// Evenly distributed on a logarithmic scale, for what varies by factors.
  public mutating func factor(_ range: ClosedRange<Double>) -> Double {
    exponential(number(logarithm(range.lowerBound)...logarithm(range.upperBound)))
  }

  public mutating func whole(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

  public mutating func happens(_ probability: Double) -> Bool { number(0...1) < probability }

  /// Normally distributed about 0, with standard deviation 1.
  public mutating func normal() -> Double {
    var sum = -6.0
    for _ in 0..<12 { sum += number(0...1) }
    return sum
  }
}
