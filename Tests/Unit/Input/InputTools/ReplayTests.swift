import Bindings
import Gestures
import InputTools
import TestKit
import Testing

/// Files that `tally-input replay` is given.
struct ReplayTests {
  private static let head = """
    N: Pedal
    I: 0003 0c45 7403 0100
    B: 00 0b 00 00 00 00 00 00 00
    B: 01 00 00 00 00 00 00 01 00

    """

  private func press(at seconds: Int64) -> String {
    "E: \(seconds).000000 0001 0030 1\nE: \(seconds).000000 0000 0000 0\n"
      + "E: \(seconds).100000 0001 0030 0\nE: \(seconds).100000 0000 0000 0\n"
  }

  private func replay(_ text: String, keepsTime: Bool) throws {
    let folder = TemporaryFolder()
    try Replay.run(
      try folder.write(text, to: "recording.evemu"), devicePath: nil, configuration: .standard, keepsTime: keepsTime)
  }

  @Test func `a recording that would take centuries is refused with a sentence, and replayed at once`() throws {
    for late in [86_401, 9_223_372_036] as [Int64] {
      let text = Self.head + press(at: 0) + press(at: late)
      let error = #expect(throws: RecordingError.self) { try replay(text, keepsTime: true) }
      #expect(error?.description.hasSuffix("lasts longer than a day; replay it with --as-fast-as-possible.") == true)
      try replay(text, keepsTime: false)
    }
  }

  @Test func `stamps that go backwards are replayed`() throws {
    try replay(Self.head + press(at: 9_223_372_036) + press(at: 0) + press(at: 1), keepsTime: false)
    try replay(Self.head + press(at: 3) + press(at: 0), keepsTime: true)
  }
}
