/// The settings requested from a sensor, chosen among those that it offers.
public enum SensorSettings {
  /// The preferred rate in Hz: enough for a hand, which shakes at 7 Hz at most.
  public static let wantedRate = 100.0
  /// The least range in m/s²: a hand's firm shake reaches 6 g.
  static let wantedRange = 8 * 9.80665

  /// The rate nearest to 100 Hz, by ratio; of two as near the higher one.
  ///
  /// - Parameter available: the content of a `sampling_frequency_available`, a list (`12.5 25 50`) or a range
  ///   (`[first step last]`).
  public static func rate(among available: String) -> Double? {
    if available.hasPrefix("[") {
      let limits = numbers(available.dropFirst().prefix { $0 != "]" })
      guard limits.count == 3, let first = limits.first, let last = limits.last, first <= last else { return nil }
      return min(max(wantedRate, first), last)
    }
    return numbers(available[...]).filter { $0 > 0 }.min { distance($0) < distance($1) }
  }

  private static func distance(_ rate: Double) -> Double {
    // A little in favour of the higher one.
    rate >= wantedRate ? rate / wantedRate : wantedRate / rate * 1.000_001
  }

  /// The scale with the narrowest range that is wide enough, else with the widest.
  ///
  /// - Parameters:
  ///   - available: the content of a `scale_available`, a list.
  ///   - current: the content of the scale as it is.
  ///   - element: how the sensor's numbers are stored.
  /// - Returns: the text to be written; nil where the scale is best left as it is.
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

/// How a sensor's buffer is used, so that a quiet sensor costs at most 25 wake-ups a second and a sample waits for less
/// than 40 ms.
public struct BufferPlan: Equatable, Sendable {
  /// How many samples a sensor that gathers them itself gathers at most.
  public let watermark: Int
  /// From one look at the buffer to the next, in nanoseconds.
  public let pace: Int64
  /// From one sample to the next, in nanoseconds.
  public let period: Int64
  /// A silence that cannot be, in nanoseconds: the sensor is gone, asleep, or switched off.
  public let silence: Int64

  /// How many samples the buffer holds: 2.5 s at 100 Hz. No other program is known to ask for just as many, so a buffer
  /// of this length that nobody reads is one that this program left behind when it was killed.
  public static let length = 250
  /// How often a second somebody wakes at most.
  public static let wakeUps = 25.0

  /// - Parameter rate: samples a second; 100 is assumed where it is unknown.
  public init(rate: Double?) {
    let known = rate.flatMap { $0.isFinite && $0 > 0 ? min(max($0, 0.1), 100_000) : nil } ?? SensorSettings.wantedRate
    watermark = min(max(1, Int((known / Self.wakeUps).rounded(.up))), Self.length / 2)
    period = Int64((1e9 / known).rounded())
    pace = max(Int64(1e9 / Self.wakeUps), period)
    silence = max(500_000_000, 10 * period)
  }
}
