import Gestures
import Recordings
import Testing

struct RecordingTextTests {
  let screen = DeviceDescription(
    name: "Plain Touchscreen", bus: 3, vendor: 0x1234, product: 0x9abc, version: 0x111, properties: [1],
    codes: [1: [0x14a, 0x2ff], 3: [0, 1, 0x2f, 0x35, 0x36, 0x39]],
    axes: [0x35: .init(minimum: -5, maximum: 4095, resolution: 12), 0x2f: .init(minimum: 0, maximum: 9)])

  @Test func `what was written reads as the same device and the same frames`() throws {
    let frames = [
      Frame(
        time: 1_000_000_000, events: [.init(type: 3, code: 0x39, value: 7), .init(type: 1, code: 0x14a, value: 1)]),
      Frame(time: 2_500_123_000, events: [.init(type: 3, code: 0x39, value: -1)]),
      Frame(time: 3_000_000_000, events: [.init(type: 3, code: 0x35, value: Int32.min)], isResync: true),
      Frame(time: 3_000_000_000, events: [], isResync: true),
    ]
    var writer = RecordingText()
    let text = frames.reduce(writer.head(screen)) { $0 + writer.frame($1) }
    let recording = try EvemuRecording(text)
    var device = screen
    device.codes[0] = [0, 1, 3]
    #expect(recording.device == device)
    let start = 1_000_000_000 - 1000 as Int64
    #expect(
      recording.frames == frames.map { Frame(time: $0.time - start, events: $0.events, isResync: $0.isResync) })
  }

  @Test func `the lines are those that evemu writes`() {
    var writer = RecordingText()
    let pedal = DeviceDescription(name: "Pedal", bus: 3, vendor: 0x0c45, product: 0x7403, codes: [1: [48]])
    let head = writer.head(pedal).split(separator: "\n")
    #expect(head.prefix(4) == ["# EVEMU 1.3", "N: Pedal", "I: 0003 0c45 7403 0000", "P: 00 00 00 00 00 00 00 00"])
    #expect(head.contains("B: 01 00 00 00 00 00 00 01 00"))
    #expect(head.filter { $0.hasPrefix("B: 01") }.count == 12)
    #expect(
      writer.frame(Frame(time: 5, events: [.init(type: 1, code: 48, value: 1), .init(type: 3, code: 0, value: -1)]))
        == "E: 0.000001 0001 0030 0001\nE: 0.000001 0003 0000 -001\nE: 0.000001 0000 0000 0000\n")
  }

  @Test func `what was held before stands in front of the first frame, and nothing held is not mentioned`() throws {
    let press = Frame(time: 9_000, events: [.init(type: 1, code: 30, value: 1)])
    var writer = RecordingText()
    writer.begin(Frame(time: 1, events: [.init(type: 3, code: 0, value: 0)], isResync: true))
    #expect(try EvemuRecording(writer.head(screen) + writer.frame(press)).frames.count == 1)
    writer = RecordingText()
    writer.begin(Frame(time: 1, events: [.init(type: 1, code: 48, value: 1)], isResync: true))
    let frames = try EvemuRecording(writer.head(screen) + writer.frame(press)).frames
    #expect(frames.map(\.isResync) == [true, false])
    #expect(frames.map(\.time) == [1000, 1000])
  }

  @Test(arguments: ["\n", "\r\n", "\u{85}", "\u{2028}", "\u{0b}"]) func `a device's name cannot add a line`(
    lineBreak: String
  ) throws {
    let rogue = DeviceDescription(name: "a\(lineBreak)E: 0.1 0001 0030 1\(lineBreak)", codes: [1: [48]])
    #expect(try EvemuRecording(RecordingText().head(rogue)).frames.isEmpty)
  }
}
