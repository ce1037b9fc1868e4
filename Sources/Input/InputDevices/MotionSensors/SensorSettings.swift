/// The settings requested from a sensor, chosen among those that it offers.
public enum SensorSettings {
  /// The preferred rate in Hz. A hand shakes at 7 Hz at most.
  public static let wantedRate = 100.0
  /// The smallest wanted range in m/s²: a hand's firm shake reaches 6 g.
  static let wantedRange = 8 * 9.80665

  /// The rate with the ratio to 100 Hz nearest to 1; the higher one of two equal ratios.
  ///
  /// - Parameter available: the content of a `sampling_frequency_available`, a list (`12.5 25 50`) or a range (`[first
  ///   step last]`).
  public static func rate(among available: String) -> Double? {
    if available.hasPrefix("[") {
      let limits = numbers(available.dropFirst().prefix { $0 != "]" })
      guard limits.count == 3, let first = limits.first, let last = limits.last, first <= last else { return nil }
      return min(max(wantedRate, first), last)
    }
    return numbers(available[...]).filter { $0 > 0 }.min { distance($0) < distance($1) }
  }

  private static func distance(_ rate: Double) -> Double {
    // A factor that prefers the higher of two rates with equal ratios.
    rate >= wantedRate ? rate / wantedRate : wantedRate / rate * 1.000_001
  }

  /// The scale with the narrowest sufficient range, else with the widest.
  ///
  /// - Parameters:
  ///   - available: the content of a `scale_available`, a list.
  ///   - current: the content of the present scale.
  ///   - element: the storage of the sensor's numbers.
  /// - Returns: the text to write; nil if the scale should not be changed.
  public static func scale(among available: String, current: String, element: ScanElement) -> String? {
    let texts = available.split(whereSeparator: \.isWhitespace).map(String.init)
    let scales = texts.compactMap { text in Double(text).map { (text, range: abs($0) * element.largest) } }
      .filter { $0.range > 0 && $0.range.isFinite }
    guard let current = Double(current), !scales.isEmpty else { return nil }
    let enough = scales.filter { $0.range >= wantedRange * 0.95 }
    let best = enough.min { $0.range < $1.range } ?? scales.max { $0.range < $1.range }
    guard let best, abs(best.range - abs(current) * element.largest) > best.range * 1e-6 else { return nil }
    return best.0
  }

  private static func numbers(_ text: Substring) -> [Double] {
    text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }.filter(\.isFinite)
  }
}

/// The use of a sensor's buffer, chosen so that a quiet sensor costs at most 25 wake-ups a second and a sample waits
/// for less than 40 ms.
public struct BufferPlan: Equatable, Sendable {
  /// The maximum number of samples that a sensor with a hardware buffer collects before it interrupts.
  public let watermark: Int
  /// The time between two reads of the buffer, in nanoseconds.
  public let pace: Int64
  /// The time between two samples, in nanoseconds.
  public let period: Int64
  /// The time without a sample after which the sensor is considered gone, asleep, or switched off, in nanoseconds.
  public let silence: Int64

  /// The length of the buffer in samples: 2.5 s at 100 Hz. No other program is known to request this length, so a
  /// buffer of this length without a reader was left behind by this program when it was killed.
  public static let length = 250
  /// The maximum number of wake-ups per second.
  public static let wakeUps = 25.0

  /// - Parameter rate: samples per second; nil for an unknown rate, for which 100 is assumed.
  public init(rate: Double?) {
    let known = rate.flatMap { $0.isFinite && $0 > 0 ? min(max($0, 0.1), 100_000) : nil } ?? SensorSettings.wantedRate
    watermark = min(max(1, Int((known / Self.wakeUps).rounded(.up))), Self.length / 2)
    period = Int64((1e9 / known).rounded())
    pace = max(Int64(1e9 / Self.wakeUps), period)
    silence = max(500_000_000, 10 * period)
  }
}
