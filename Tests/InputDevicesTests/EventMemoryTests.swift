import Foundation
import Gestures
import InputDevices
import Platform
import Testing

@Suite struct `What the kernel keeps of a device` {
  let pipe = Pipe()
  let shelf: SharedMemory

  init() throws {
    shelf = try SharedMemory(size: 64 << 10)
    _ = fcntl(pipe.fileHandleForReading.fileDescriptor, F_SETFL, O_NONBLOCK)
  }

  /// As each process has it that comes.
  var memory: EventMemory {
    get throws {
      let kept = [pipe.fileHandleForReading.fileDescriptor, shelf.descriptor.number]
      return try #require(EventMemory(kept: kept.map { Descriptor(owning: dup($0)) }))
    }
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

  let press = Frame(time: 2_000_001_000, events: [InputEvent(type: 1, code: 48, value: 1)])
  let release = Frame(time: 2_100_000_000, events: [InputEvent(type: 1, code: 48, value: 0)])

  @Test func `comes out in frames with their stamps, until it is taken care of`() throws {
    write([(2_000_001, 1, 48, 1), (2_000_001, 0, 0, 0)])
    #expect(try memory.content() == .init(frames: [press]))
    // The process that has read it dies; to the next one comes what has followed as well.
    write([(2_100_000, 1, 48, 0), (2_100_000, 0, 0, 0)])
    let memory = try memory
    #expect(memory.content() == .init(frames: [press, release]))
    memory.release(upTo: release.time)
    #expect(try self.memory.content() == .init())
  }

  @Test func `stays where it came after what was taken care of`() throws {
    write([(2_100_000, 1, 48, 0), (2_100_000, 0, 0, 0)])
    try memory.release(upTo: press.time)
    #expect(try memory.content() == .init(frames: [release]))
  }

  @Test func `is told from a rest of it`() throws {
    write([(1, 0, 3, 0), (2, 1, 48, 0), (2, 0, 0, 0)])
    #expect(try memory.content().isIncomplete)
  }

  @Test func `comes whichever way round it was kept`() throws {
    write([(2_000_001, 1, 48, 1), (2_000_001, 0, 0, 0)])
    let device = Descriptor(owning: dup(pipe.fileHandleForReading.fileDescriptor))
    #expect(EventMemory(kept: [shelf.descriptor, device])?.content() == .init(frames: [press]))
  }

  @Test func `is not taken for what another program left`() throws {
    let other = try SharedMemory(size: 4096)
    #expect(EventMemory(kept: [shelf.descriptor, other.descriptor]) == nil)
    #expect(EventMemory(kept: [other.descriptor]) == nil)
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
