import Foundation
import Gestures
import InputDevices
import Platform
import Testing

@Suite struct `What the kernel keeps of a device` {
  let pipe = Pipe()
  let memory: EventMemory

  init() {
    let reading = dup(pipe.fileHandleForReading.fileDescriptor)
    _ = fcntl(reading, F_SETFL, O_NONBLOCK)
    memory = EventMemory(keptFrom: Descriptor(owning: reading))
  }

  /// Events as the kernel writes them on 64-bit machines: seconds, microseconds, type, code, value.
  func write(_ events: [(microseconds: Int64, type: UInt16, code: UInt16, value: Int32)]) {
    var bytes = Data()
    for event in events {
      for part in [event.microseconds / 1_000_000, event.microseconds % 1_000_000] {
        withUnsafeBytes(of: part) { bytes.append(contentsOf: $0) }
      }
      withUnsafeBytes(of: (event.type, event.code, event.value)) { bytes.append(contentsOf: $0) }
    }
    pipe.fileHandleForWriting.write(bytes)
  }

  @Test func `comes out once, in frames with their stamps`() {
    write([(2_000_001, 1, 48, 1), (2_000_001, 0, 0, 0), (2_100_000, 1, 48, 0), (2_100_000, 0, 0, 0)])
    let press = Frame(time: 2_000_001_000, events: [InputEvent(type: 1, code: 48, value: 1)])
    let release = Frame(time: 2_100_000_000, events: [InputEvent(type: 1, code: 48, value: 0)])
    #expect(memory.take() == .init(frames: [press, release]))
    #expect(memory.take() == .init())
  }

  @Test func `is told from a rest of it`() {
    write([(1, 0, 3, 0), (2, 1, 48, 0), (2, 0, 0, 0)])
    #expect(memory.take().isIncomplete)
  }

  @Test func `begins with nothing held, and with positions as they are`() {
    let state = Frame(
      time: 9,
      events: [(1, 330, 1), (3, 47, 0), (3, 57, 12), (3, 53, 700)].map {
        InputEvent(type: $0.0, code: $0.1, value: $0.2)
      },
      isResync: true)
    let quiet = EventMemory.quiet(state, at: 5)
    #expect(quiet.isResync && quiet.time == 5)
    #expect(quiet.events.map(\.value) == [0, -1, 700])
  }
}
