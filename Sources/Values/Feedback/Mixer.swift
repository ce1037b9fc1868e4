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

  /// Starts a sound.
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
