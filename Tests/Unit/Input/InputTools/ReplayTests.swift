import Bindings
import Gestures
import InputKit
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

  @Test func `a recording without a gesture has its reasons`() throws {
    let empty = DeviceDescription.Axis(minimum: 0, maximum: 0)
    let panel = DeviceDescription(name: "panel", codes: [1: [0x14a], 3: [0, 1]], axes: [0: empty, 1: empty])
    let pedal = DeviceDescription(name: "pedal", codes: [1: [29, 48]])
    let named = try Configuration(file: "[touchscreens]\nuse = true\n[[device]]\nname = \"pedal\"\n")
    func reasons(_ device: DeviceDescription, _ key: UInt16) -> [String] {
      let frames = ([1, 0] as [Int32]).map { value in
        Frame(time: Int64(2 - value) * 100_000_000, events: [InputEvent(type: 1, code: key, value: value)])
      }
      return Replay.play(frames, of: device, by: named) { _, _ in }
    }
    #expect(
      reasons(panel, 0x14a)
        == ["its touch surface cannot be used: its touch axis x runs from 0 to 0, which is no range"])
    #expect(reasons(pedal, 0x14a) == [] && reasons(pedal, 48) == [])
  }
}
