import Feedback
import Testing

struct RhythmTests {
  @Test(arguments: [[], [60, 100], [19], [2001], [60, 2001, 60], [Int32](repeating: 60, count: 11)])
  func `what cannot be felt as a rhythm is none`(_ milliseconds: [Int32]) {
    #expect(Rhythm(milliseconds: milliseconds) == nil)
  }

  @Test func `a rhythm is called by its name, or by its seconds`() {
    #expect("\(Rhythm.triple)" == "triple")
    #expect(Rhythm(milliseconds: [60]) == .short)
    #expect(Rhythm(milliseconds: [20, 100, 2000])?.description == "0.02-0.1-2.0 s")
  }

  @Test(arguments: [[], [49], [15_001], [Int32](repeating: 880, count: 9)])
  func `what cannot be heard is no tone`(_ pitches: [Int32]) {
    #expect(Tone(pitches: pitches) == nil)
  }

  @Test func `a tone is called by its pitches`() {
    #expect(Tone(pitches: [880, 440])?.description == "880-440 Hz")
  }
}
