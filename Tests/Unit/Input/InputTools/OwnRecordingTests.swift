import Bindings
import Gestures
import Glibc
import InputDaemon
import InputTools
import Linux
import Recordings
import TestKit
import Testing

/// The project's own recordings of devices that people count with (`Recordings/`).
struct OwnRecordingTests {
  private func play(_ name: String) throws -> [(gesture: String, key: UInt16?, action: Action?)] {
    let bytes = try FileContent.read(Checkout.path("Recordings/\(name).evemu"), upTo: 1 << 20)
    let recording = try EvemuRecording(String(decoding: bytes, as: UTF8.self))
    let device = try #require(recording.device)
    var gestures: [(gesture: String, key: UInt16?, action: Action?)] = []
    Replay.play(recording.frames, of: device, by: .standard) { gestures.append(($0.kind.rawValue, $0.key, $1)) }
    return gestures
  }

  @Test func `six steps on a pedal are six counts`() throws {
    let steps = try play("pedal")
    #expect(steps.map(\.action) == Array(repeating: Action.add, count: 6))
    #expect(steps.allSatisfy { $0.gesture == "press" && $0.key == 48 })
  }

  @Test func `every button of a presenter counts once a press, and "back" subtracts`() throws {
    let presses = try play("presenter")
    #expect(presses.map(\.key) == [109, 109, 109, 104, 63, 1])
    #expect(presses.map(\.action) == [.add, .add, .add, .subtract, .add, .add])
  }

  @Test func `a shutter counts, even where down and up come in one moment`() throws {
    let presses = try play("shutter")
    #expect(presses.map(\.key) == [115, 115, 115])
    #expect(presses.allSatisfy { $0.action == .add })
  }
}
