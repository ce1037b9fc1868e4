import Foundation
import Gestures
import Recordings
import TestKit
import Testing

@Suite struct EvemuRecordingTests {
  /// A recording of a real device, among those that the recognisers are tested with.
  private static func text(_ name: String) throws -> String {
    return try String(contentsOfFile: Checkout.path("Tests/Unit/Values/Gestures/Recordings/\(name)"), encoding: .utf8)
  }

  @Test func `a description tells all that matching and recognising need`() throws {
    let device = try #require(try EvemuRecording(Self.text("isdv4-e6.desc")).device)
    #expect(device.name == "Wacom ISDv4 E6 Finger")
    #expect((device.bus, device.vendor, device.product, device.version) == (3, 0x56a, 0xe6, 0x139))
    #expect(device.properties == [1])
    #expect(device.codes[1] == [0x14a])
    #expect(device.codes[3] == [0, 1, 0x2f, 0x35, 0x36, 0x37, 0x39])
    #expect(device.axes[0x35] == .init(minimum: 0, maximum: 2776))
  }

  @Test func `events are gathered into frames with the recording's own times`() throws {
    let recording = try EvemuRecording(Self.text("isdv4-e6-single-tap-center.events"))
    #expect(recording.device == nil)
    #expect(recording.frames.map(\.events.count) == [6, 2])
    #expect(recording.frames.map(\.time) == [1_330_495_931_101_135_000, 1_330_495_931_125_122_000])
    #expect(recording.frames[1].events[0] == InputEvent(type: 3, code: 0x39, value: -1))
  }

  @Test func `a frame with dropped events is a resync frame`() throws {
    let text = """
      E: 0.000001 0001 0030 1
      E: 0.000001 0000 0003 0
      E: 0.000001 0000 0000 0
      E: 0.000002 0001 0030 1\t# EV_KEY / KEY_B 1
      E: 0.000002 0000 0000 0
      """
    #expect(try EvemuRecording(text).frames.map(\.isResync) == [true, false])
  }

  @Test func `what the kernel let go of by itself is how things stand, not what a person did`() throws {
    let text = """
      E: 0.000001 0001 014a 1
      E: 0.000001 0000 0000 0
      E: 0.000002 0001 0030 2
      E: 0.000002 0000 0000 1
      E: 0.000003 0001 014a 0
      E: 0.000003 0000 0000 1
      """
    #expect(try EvemuRecording(text).frames.map(\.isResync) == [false, false, true])
  }

  @Test func `a device that ends all of its reports as the kernel does lets go of its keys itself`() throws {
    let text = """
      E: 0.000001 0001 006d 1
      E: 0.000001 0000 0000 1
      E: 0.000002 0001 006d 0
      E: 0.000002 0000 0000 1
      """
    #expect(try EvemuRecording(text).frames.map(\.isResync) == [false, false])
  }

  @Test func `lines may end as they do elsewhere, and a name may hold anything`() throws {
    let recording = try EvemuRecording("# EVEMU 1.3\r\nN: Pedal #1: left\r\n\r\nI: 0003 0c45 7403 0001\r\n")
    #expect(recording.device?.name == "Pedal #1: left")
    #expect(recording.device?.vendor == 0x0c45)
  }

  static let broken: [(text: String, line: Int)] = [
    ("", 1), ("hello", 1), ("# only a remark\n", 2), ("N: x\nQ: 1", 2),
    ("I: 0003 0c45 7403", 1), ("I: 0003 0c45 7403 10000", 1),
    ("B: 01 " + String(repeating: "ff ", count: 97), 1), ("P: 1ff", 1), ("B:", 1), ("A: 00 1 2", 1),
    ("A: 00 0 99999999999 0 0 0", 1), ("E: 1 0001 0030 1", 1), ("E: 1.5 0001 0030 1", 1),
    ("E: -1.000000 0001 0030 1", 1), ("E: 99999999999999999999.000000 0001 0030 1", 1),
    ("E: 9999999999.000000 0001 0030 1", 1), ("E: 0.000000 0001 0030", 1),
    ("E: 0.000000 0001 0030 1\nE: 0.000000 0000 00", 2), ("E: 0.000000 0001 0030 1", 1),
  ]

  @Test(arguments: broken) func `what is no recording or is cut off is refused with its line`(text: String, line: Int) {
    let problem = #expect(throws: EvemuRecording.Problem.self) { try EvemuRecording(text) }
    #expect(problem?.line == line)
  }
}
