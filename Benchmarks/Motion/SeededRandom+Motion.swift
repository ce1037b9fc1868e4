package import Randomness

extension SeededRandom {
  /// Evenly distributed on a logarithmic scale, for what varies by factors.
  package mutating func factor(_ range: ClosedRange<Double>) -> Double {
    exponential(number(logarithm(range.lowerBound)...logarithm(range.upperBound)))
  }

  /// Normally distributed about 0, with standard deviation 1.
  package mutating func normal() -> Double {
    var sum = -6.0
    for _ in 0..<12 { sum += number(0...1) }
    return sum
  }
}
