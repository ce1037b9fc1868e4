import Foundation
import Linux
import Testing

@testable import Gestures
@testable import InputDevices

@Suite struct `What outlives a process of a device` {
  let pipe = Pipe()
  var device: FileDescriptor { FileDescriptor(owning: dup(pipe.fileHandleForReading.fileDescriptor)) }

  init() { _ = fcntl(pipe.fileHandleForReading.fileDescriptor, F_SETFL, O_NONBLOCK) }

  /// Events as the kernel writes them on 64-bit machines: seconds, microseconds, type, code, value.
  func write(_ values: [Int32]) {
    var bytes = Data()
    for value in values {
      for part in [2, 1000] { withUnsafeBytes(of: part) { bytes.append(contentsOf: $0) } }
      withUnsafeBytes(of: (UInt16(1), UInt16(48), value)) { bytes.append(contentsOf: $0) }
    }
    pipe.fileHandleForWriting.write(bytes)
  }

  /// As the next process has it.
  func next(of log: EventLog) throws -> EventLog {
    try EventLog(FileDescriptor(owning: dup(log.descriptor.number)))
  }

  func values(_ log: EventLog) throws -> [Int32] {
    var values: [Int32] = []
    repeat {
      while let event = log.next() { values.append(InputEvent(event).value) }
    } while try log.fill(from: device)
    return values
  }

  let held = [InputEvent(type: 1, code: 30, value: 1)]
  let free = [InputEvent(type: 3, code: 47, value: 1)]

  @Test func `is how it stood and what it has reported since`() throws {
    let log = try EventLog()
    log.begin(with: held, at: 7)
    write([1, 0])
    #expect(try values(log) == [1, 0])
    // The process that has read it dies; to the next one comes what has followed as well.
    write([5])
    let second = try next(of: log)
    #expect(second.beginning() == held)
    #expect(try values(second) == [1, 0, 5])
    second.begin(with: free, at: 9)
    let third = try next(of: second)
    #expect(third.beginning() == free)
    #expect(try !third.holdsEvents && values(third) == [])
  }

  @Test func `is whether it is taken for this program alone, whatever else becomes of it`() throws {
    let log = try EventLog()
    #expect(!log.isGrabbed)
    log.isGrabbed = true
    log.begin(with: held, at: 7)
    let second = try next(of: log)
    #expect(second.isGrabbed && !second.isIncomplete)
    second.isGrabbed = false
    #expect(try !next(of: second).isGrabbed)
  }

  @Test func `is nothing where a process died while it let go`() throws {
    let log = try EventLog()
    log.begin(with: held, at: 7)
    write([1, 0])
    _ = try values(log)
    // Half of what it does then: all is let go of, and some is erased.
    let memory = try SharedMemory(log.descriptor, size: 256 << 10)
    memory.bytes.storeBytes(of: 16 + 4 * 24, toByteOffset: 0, as: Int.self)
    UnsafeMutableRawBufferPointer(rebasing: memory.bytes[16..<70]).initializeMemory(as: UInt8.self, repeating: 0)
    let second = try next(of: log)
    write([3])
    #expect(second.beginning() == nil)
    second.begin(with: free, at: 9)
    #expect(try values(second) == [3])
    #expect(try next(of: second).beginning() == free)
  }

  @Test func `goes on where there is more than it holds, and says so to the next process`() throws {
    let log = try EventLog()
    log.begin(with: [], at: 7)
    var given = 0
    for _ in 0..<12 {
      write(Array(repeating: 1, count: 1000))
      given += try values(log).count
    }
    #expect(given == 12_000)
    #expect(try next(of: log).isIncomplete)
    #expect(try next(of: log).beginning() == nil)
    log.begin(with: free, at: 9)
    #expect(try next(of: log).beginning() == free)
  }

  @Test func `is not taken for what another program left`() throws {
    #expect(throws: SystemError.self) { try EventLog(SharedMemory(size: 4096, name: "test").descriptor) }
    #expect(throws: SystemError.self) { try EventLog(device) }
    for begin in [-8, 0, 17, 16 + 24 * 10_923, .max] {
      let other = try SharedMemory(size: 256 << 10, name: "test")
      other.bytes.storeBytes(of: begin, toByteOffset: 0, as: Int.self)
      #expect(throws: SystemError.self) { try EventLog(other.descriptor) }
    }
  }
}
