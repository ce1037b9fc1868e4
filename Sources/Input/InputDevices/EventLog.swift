import Clibevdev
import Gestures
import Glibc
import Linux
import Synchronization

/// Unprocessed input events and the device state before them, in memory that outlives the process. read(2) writes into
/// it directly, so a crash loses nothing that was read.
///
/// The log holds 10,900 events, the reports of a moving finger for half a minute. If a device reports more without a
/// pause, its gestures still count, but the next process cannot continue them.
///
/// | bytes   | content                                                                     |
/// |---------|-----------------------------------------------------------------------------|
/// | 0..<8   | offset of the first event that is needed                                    |
/// | 8..<16  | 1 after an overflow of the log, plus 2 while the device is                 |
/// |         | grabbed                                                                     |
/// | 16...   | state of the device, ended by SYN_CONFIG, which the kernel never uses;      |
/// |         | events in the kernel's layout; zeros                                        |
@safe
final class EventLog {
  private let memory: SharedMemory
  /// Offset of the first event that ``next()`` has not returned.
  private var place: Int
  /// Offset of the end of the last event.
  private var end: Int

  private static let size = 256 << 10
  private static let first = 16
  private static let stride = MemoryLayout<input_event>.stride
  private static let last = first + (size - first) / stride * stride

  /// Creates an empty log, without a state.
  init() throws(SystemError) {
    memory = try SharedMemory(size: Self.size, name: "tallymark")
    (place, end) = (Self.first, Self.first)
    begin = Self.first
  }

  /// Opens the log of an earlier process.
  ///
  /// - Throws: `EINVAL` if the descriptor is no event log.
  init(_ descriptor: FileDescriptor) throws(SystemError) {
    memory = try SharedMemory(descriptor, size: Self.size)
    let begin = unsafe memory.bytes.load(fromByteOffset: 0, as: Int.self)
    guard Self.first...Self.last ~= begin, (begin - Self.first) % Self.stride == 0 else {
      throw SystemError("use the event log of an earlier process", code: EINVAL)
    }
    (place, end) = (begin, begin)
    while end < Self.last, unsafe memory.bytes[end..<end + Self.stride].contains(where: { $0 != 0 }) {
      end += Self.stride
    }
  }

  /// The memory's descriptor, to keep for the next process.
  var descriptor: FileDescriptor { memory.descriptor }

  /// Whether the log holds events in addition to the state.
  private(set) var holdsEvents = false

  /// The device's state before the first event; nil if an earlier process left none, or the events after it are
  /// incomplete.
  func beginning() -> [InputEvent]? {
    let start = place
    var events: [InputEvent] = []
    while !isIncomplete, let event = next() {
      if event.type == EV_SYN, event.code == SYN_CONFIG {
        holdsEvents = place < end
        return events
      }
      events.append(InputEvent(event))
    }
    place = start
    return nil
  }

  /// Whether the log overflowed, so that another process cannot use it.
  private(set) var isIncomplete: Bool {
    get { flags & 1 != 0 }
    set { flags = newValue ? flags | 1 : flags & ~1 }
  }

  /// Whether this program has grabbed the device. Stored here, because the kernel offers no query.
  var isGrabbed: Bool {
    get { flags & 2 != 0 }
    set { flags = newValue ? flags | 2 : flags & ~2 }
  }

  private var flags: Int {
    get { unsafe memory.bytes.load(fromByteOffset: 8, as: Int.self) }
    set { unsafe memory.bytes.storeBytes(of: newValue, toByteOffset: 8, as: Int.self) }
  }

  private var begin: Int {
    get { unsafe memory.bytes.load(fromByteOffset: 0, as: Int.self) }
    set { unsafe memory.bytes.storeBytes(of: newValue, toByteOffset: 0, as: Int.self) }
  }

  /// Whether the last ``fill(from:)`` emptied the kernel's queue.
  private(set) var isDrained = false

  /// Reads events from `device`; to be called when ``next()`` has returned `nil`.
  ///
  /// - Returns: `false` if there are none now.
  func fill(from device: FileDescriptor) throws(SystemError) -> Bool {
    if end == Self.last {
      isIncomplete = true
      empty {}
    }
    let room = unsafe UnsafeMutableRawBufferPointer(rebasing: memory.bytes[end..<Self.last])
    guard let count = unsafe try device.read(into: room), count > 0 else { return false }
    end += count / Self.stride * Self.stride
    isDrained = count < room.count
    holdsEvents = true
    return true
  }

  /// Returns the oldest event not returned yet, and keeps it in the log.
  func next() -> input_event? {
    guard let event = peek() else { return nil }
    place += Self.stride
    return event
  }

  /// The oldest event not returned yet, without advancing.
  func peek() -> input_event? {
    guard place < end else { return nil }
    return unsafe memory.bytes.loadUnaligned(fromByteOffset: place, as: input_event.self)
  }

  /// Skips all events that ``next()`` has not returned.
  func skip() { place = end }

  /// Drops all events, which must be processed, and stores the device's state.
  ///
  /// - Parameters:
  ///   - state: the events that describe the device's present state.
  ///   - time: now, in nanoseconds of ``Clock/boottime()``.
  func begin(with state: [InputEvent], at time: Int64) {
    empty {
      guard state.count < (Self.last - Self.first) / Self.stride else {
        isIncomplete = true
        return
      }
      for event in state { append(evdev_event(time, event.type, event.code, event.value)) }
      append(evdev_event(time, UInt16(EV_SYN), UInt16(SYN_CONFIG), 0))
      isIncomplete = false
    }
    place = end
  }

  private func append(_ event: input_event) {
    unsafe memory.bytes.storeBytes(of: event, toByteOffset: end, as: input_event.self)
    end += Self.stride
  }

  /// Replaces the whole content. A process that dies meanwhile leaves the old content, the new content, or no content.
  private func empty(andPut put: () -> Void) {
    begin = end
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    unsafe UnsafeMutableRawBufferPointer(rebasing: memory.bytes[Self.first..<end])
      .initializeMemory(as: UInt8.self, repeating: 0)
    (place, end) = (Self.first, Self.first)
    holdsEvents = false
    put()
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    begin = Self.first
  }
}

extension InputEvent {
  init(_ event: input_event) { self.init(type: event.type, code: event.code, value: event.value) }
}
