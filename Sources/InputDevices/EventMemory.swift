import Clibevdev
import Gestures
import Glibc
import Platform
import Synchronization

/// What an input device has reported since the last time that all of it was taken care of, and how the device stood then,
/// in memory that outlives the process: the kernel writes there itself, so that nothing is lost between the two.
///
/// It holds 10,900 events, which is a finger on the glass for half a minute. A device that is longer without a pause goes
/// on being heard, but the next process cannot begin where this one stood.
///
/// | bytes   | what is there                                                               |
/// |---------|-----------------------------------------------------------------------------|
/// | 0..<8   | where the first event begins that is needed                                 |
/// | 8..<16  | 1 where there were more events than it holds, plus 2 while the device is    |
/// |         | taken for this program alone                                                |
/// | 16...   | how the device stood, ending with SYN_CONFIG, which the kernel never uses;  |
/// |         | events as the kernel gives them; zeros                                      |
@safe
final class EventMemory {
  private let shelf: SharedMemory
  /// Where the first event begins that ``next()`` has not given.
  private var place: Int
  /// Where the last event ends.
  private var end: Int

  private static let size = 256 << 10
  private static let first = 16
  private static let stride = MemoryLayout<input_event>.stride
  private static let last = first + (size - first) / stride * stride

  /// One that holds nothing, not even how the device stood.
  init() throws(SystemError) {
    shelf = try SharedMemory(size: Self.size)
    (place, end) = (Self.first, Self.first)
    begin = Self.first
  }

  /// What an earlier process left.
  ///
  /// - Throws: `EINVAL` where the descriptor is that of something else.
  init(_ descriptor: Descriptor) throws(SystemError) {
    shelf = try SharedMemory(descriptor, size: Self.size)
    let begin = unsafe shelf.bytes.load(fromByteOffset: 0, as: Int.self)
    guard Self.first...Self.last ~= begin, (begin - Self.first) % Self.stride == 0 else {
      throw SystemError("take up shared memory", code: EINVAL)
    }
    (place, end) = (begin, begin)
    while end < Self.last, unsafe shelf.bytes[end..<end + Self.stride].contains(where: { $0 != 0 }) {
      end += Self.stride
    }
  }

  /// What is to be kept of it for the next process.
  var descriptor: Descriptor { shelf.descriptor }

  /// Whether it holds an event beyond how the device stood.
  private(set) var holdsEvents = false

  /// How the device stood before the first event, where an earlier process has left that and what followed is all there.
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

  /// Whether there was more than it holds: another process can make nothing of the rest.
  private(set) var isIncomplete: Bool {
    get { flags & 1 != 0 }
    set { flags = newValue ? flags | 1 : flags & ~1 }
  }

  /// Whether the device is taken for this program alone, which the kernel tells nobody.
  var isTaken: Bool {
    get { flags & 2 != 0 }
    set { flags = newValue ? flags | 2 : flags & ~2 }
  }

  private var flags: Int {
    get { unsafe shelf.bytes.load(fromByteOffset: 8, as: Int.self) }
    set { unsafe shelf.bytes.storeBytes(of: newValue, toByteOffset: 8, as: Int.self) }
  }

  private var begin: Int {
    get { unsafe shelf.bytes.load(fromByteOffset: 0, as: Int.self) }
    set { unsafe shelf.bytes.storeBytes(of: newValue, toByteOffset: 0, as: Int.self) }
  }

  /// Takes in what `device` has to report; to be called when ``next()`` has given all there was.
  ///
  /// - Returns: false where there is nothing now.
  func fill(from device: Descriptor) throws(SystemError) -> Bool {
    if end == Self.last {
      isIncomplete = true
      empty {}
    }
    let room = unsafe UnsafeMutableRawBufferPointer(rebasing: shelf.bytes[end..<Self.last])
    guard let count = unsafe try device.read(into: room), count > 0 else { return false }
    end += count / Self.stride * Self.stride
    holdsEvents = true
    return true
  }

  /// The oldest event that was not given yet, once; it is held on to.
  func next() -> input_event? {
    guard let event = peek() else { return nil }
    place += Self.stride
    return event
  }

  /// The same, without taking it.
  func peek() -> input_event? {
    guard place < end else { return nil }
    return unsafe shelf.bytes.loadUnaligned(fromByteOffset: place, as: input_event.self)
  }

  /// Passes over what ``next()`` has not given.
  func skip() { place = end }

  /// Lets go of everything, since it is taken care of.
  ///
  /// - Parameters:
  ///   - state: how the device stands.
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
    unsafe shelf.bytes.storeBytes(of: event, toByteOffset: end, as: input_event.self)
    end += Self.stride
  }

  /// Puts something in the place of everything. Whenever the process dies in this, either is there, or nothing.
  private func empty(andPut put: () -> Void) {
    begin = end
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    unsafe UnsafeMutableRawBufferPointer(rebasing: shelf.bytes[Self.first..<end])
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
