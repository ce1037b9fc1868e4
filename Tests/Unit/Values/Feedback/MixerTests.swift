import Feedback
import Testing

struct MixerTests {
  /// All that is heard of sounds that begin together.
  private func heard(_ sounds: Sound..., in patterns: Int = 480) -> [Int16] {
    var mixer = Mixer()
    for sound in sounds { mixer.add(sound) }
    var samples: [Int16] = []
    while !mixer.isSilent, samples.count < 10 * Waveform.rate { samples += mixer.next(patterns) }
    return samples
  }

  /// How often the wave goes from below to above nothing in a second, while it is loud.
  private func pitch(of samples: [Int16]) -> Int {
    let loud = samples.prefix(Waveform.rate / 50)
    return zip(loud, loud.dropFirst()).count { $0 < 0 && $1 >= 0 } * 50
  }

  @Test(arguments: Sound.allCases) func `a sound is loud, without cracks, and ends`(_ sound: Sound) throws {
    let samples = Waveform.samples(of: sound)
    #expect(samples.map { $0.magnitude }.max() ?? 0 > 4000)
    #expect(samples.first == 0)
    #expect(try #require(samples.last).magnitude < 50)
    #expect(samples.count < Waveform.rate)
  }

  @Test func `a thud is far lower than a click`() {
    #expect(pitch(of: Waveform.samples(of: .click)) > 4 * pitch(of: Waveform.samples(of: .thud)))
  }

  @Test func `what is heard is the sound itself, however it is cut`() {
    let click = Waveform.samples(of: .click)
    for patterns in [1, 7, 480, 100_000] {
      #expect(Array(heard(.click, in: patterns).prefix(click.count)) == click)
    }
  }

  @Test func `a chime outlives the click that follows it`() {
    #expect(heard(.chime, .click).count >= Waveform.samples(of: .chime).count)
  }

  @Test func `too many sounds at once are no more than some, and no overflow`() {
    var mixer = Mixer()
    for _ in 0..<1000 { mixer.add(.chime) }
    #expect(mixer.next(1000).map { $0.magnitude }.max() ?? 0 >= 32_767)
    mixer.add(.click)
    #expect(!mixer.isSilent)
  }

  @Test func `nothing sounds like nothing`() {
    var mixer = Mixer()
    #expect(mixer.isSilent)
    #expect(mixer.next(3) == [0, 0, 0])
  }
}
