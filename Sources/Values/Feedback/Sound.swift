import Glibc

/// The sounds of the loudspeaker, with their names in a configuration.
public enum Sound: String, CaseIterable, Sendable {
  /// Short and high.
  case click
  /// Short and low, so that down sounds different from up.
  case thud
  /// Long, for events that are worth a pause.
  case chime
}

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

/// Mixes several sounds on one loudspeaker, so that a chime is not cut off by the clicks of later counts.
public struct Mixer: Sendable {
  private struct Voice {
    let samples: [Int16]
    var position: Int
    var left: Int { samples.count - position }
  }

  private var voices: [Voice] = []
  private var waveforms: [Sound: [Int16]] = [:]

  /// The maximum number of voices, because more is noise; a further sound replaces the one nearest to its end.
  public static let mostVoices = 6

  public init() {}

  /// Whether no sound is playing.
  public var isSilent: Bool { voices.isEmpty }

  public mutating func add(_ sound: Sound) {
    let samples = waveforms[sound] ?? Waveform.samples(of: sound)
    waveforms[sound] = samples
    if voices.count == Self.mostVoices,
      let index = voices.indices.min(by: { voices[$0].left < voices[$1].left })
    {
      voices.remove(at: index)
    }
    voices.append(Voice(samples: samples, position: 0))
  }

  /// The next samples; zeros without a sound.
  public mutating func next(_ count: Int) -> [Int16] {
    var mixed = [Int32](repeating: 0, count: count)
    for index in voices.indices {
      let part = voices[index].samples.dropFirst(voices[index].position).prefix(count)
      for (place, sample) in part.enumerated() { mixed[place] += Int32(sample) }
      voices[index].position += part.count
    }
    voices.removeAll { $0.left == 0 }
    return mixed.map { Int16(clamping: $0) }
  }
}
