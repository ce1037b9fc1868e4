import Glibc

/// The samples of each sound, computed at the first use.
public enum Waveform {
  /// The sampling rate in hertz.
  public static let rate = 48_000

  /// One channel of 16 bits from beginning to end; begins and ends in silence, to avoid clicks.
  public static func samples(of sound: Sound) -> [Int16] {
    switch sound {
    case .click: damped([(1800, 1)], seconds: 0.04, decay: 0.008)
    // Small loudspeakers play nothing below 200 Hz: the second partial makes the sound audible.
    case .thud: damped([(110, 0.6), (220, 0.4)], seconds: 0.16, decay: 0.04)
    case .chime: damped([(1047, 0.5), (1568, 0.3), (2093, 0.2)], seconds: 0.9, decay: 0.25)
    }
  }

  /// Partials (hertz, share) that begin together and fade; `decay` is the time to 1/e.
  private static func damped(_ partials: [(Double, Double)], seconds: Double, decay: Double) -> [Int16] {
    let count = Int(seconds * Double(rate))
    // Half of the full scale leaves room for overlapping sounds.
    return (0..<count).map { index in
      let time = Double(index) / Double(rate)
      let wave = partials.reduce(0.0) { $0 + $1.1 * sin(2 * .pi * $1.0 * time) }
      let edge = min(1, time / 0.001, (seconds - time) / 0.01)
      return Int16(16_000 * wave * exp(-time / decay) * edge)
    }
  }
}
