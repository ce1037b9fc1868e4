import Glibc

/// How each sound sounds: samples that are computed when they are first needed.
public enum Waveform {
  /// Samples in a second.
  public static let rate = 48_000

  /// One channel of 16 bits from beginning to end; begins and ends in silence, so that nothing cracks.
  public static func samples(of sound: Sound) -> [Int16] {
    switch sound {
    case .click: damped([(1800, 1)], seconds: 0.04, decay: 0.008)
    // Small loudspeakers have nothing below 200 Hz: the second partial is what they are heard by.
    case .thud: damped([(110, 0.6), (220, 0.4)], seconds: 0.16, decay: 0.04)
    case .chime: damped([(1047, 0.5), (1568, 0.3), (2093, 0.2)], seconds: 0.9, decay: 0.25)
    }
  }

  /// Partials (hertz, share) that begin together and die away; `decay` is the time to 1/e.
  private static func damped(_ partials: [(Double, Double)], seconds: Double, decay: Double) -> [Int16] {
    let count = Int(seconds * Double(rate))
    // Half of what is possible leaves room for sounds that overlap.
    return (0..<count).map { index in
      let time = Double(index) / Double(rate)
      let wave = partials.reduce(0.0) { $0 + $1.1 * sin(2 * .pi * $1.0 * time) }
      let edge = min(1, time / 0.001, (seconds - time) / 0.01)
      return Int16(16_000 * wave * exp(-time / decay) * edge)
    }
  }
}
