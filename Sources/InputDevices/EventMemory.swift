import CLinux
import Clibevdev
public import Gestures
import Glibc
public import Platform

/// A second opening of an input device, which nobody reads while all goes well and which outlives the process: the
/// kernel keeps in it what the device has reported since the last time that everything was taken care of.
///
/// What is read of it is gone from the kernel; so it is read into memory that outlives the process too. It holds what the
/// kernel's buffer holds: 64 events or more, by the device's driver. While the device is taken for one program alone the
/// kernel gives it nothing.
@safe
public final class EventMemory {
  private let device: Descriptor
  /// What was read last and may not be taken care of, ending at an event of nothing but zeros.
  private let shelf: SharedMemory

  /// More than 2,500 events, far more than the kernel keeps.
  private static let shelfSize = 64 << 10
  private static let stride = MemoryLayout<input_event>.stride

  /// Opens the device at `path` once more.
  public init(path: String) throws(DeviceError) {
    let number = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard number >= 0 else { throw DeviceError(.current("open \(path)")) }
    device = Descriptor(owning: number)
    let clock = linux_input_use_monotonic(number)
    guard clock == 0 else { throw DeviceError(SystemError("set the clock of the device", code: clock)) }
    do throws(SystemError) { shelf = try SharedMemory(size: Self.shelfSize) } catch { throw DeviceError(error) }
  }

  /// Takes up what an earlier process kept, in whatever order; nil where that is something else.
  public init?(kept: [Descriptor]) {
    guard kept.count == 2 else { return nil }
    let shelves = kept.map { try? SharedMemory($0, size: Self.shelfSize) }
    switch (shelves[0], shelves[1]) {
    case (nil, let shelf?): (device, self.shelf) = (kept[0], shelf)
    case (let shelf?, nil): (device, self.shelf) = (kept[1], shelf)
    default: return nil
    }
    // A file has a place to be read from; a device has none.
    if lseek(device.number, 0, SEEK_CUR) >= 0 { return nil }
  }

  /// What is to be kept of it for the next process.
  public var descriptors: [Descriptor] { [device, shelf.descriptor] }

  /// What was kept.
  public struct Content: Equatable, Sendable {
    /// What the device reported, oldest first.
    public var frames: [Frame]
    /// Whether there was more than is kept; nothing can be made of the rest then.
    public var isIncomplete: Bool

    public init(frames: [Frame] = [], isIncomplete: Bool = false) {
      self.frames = frames
      self.isIncomplete = isIncomplete
    }
  }

  /// All that it holds; it is held until it is released.
  public func content() -> Content {
    let whole = unsafe shelf.bytes.count / Self.stride * Self.stride
    var used = used
    while used < whole {
      let room = unsafe UnsafeMutableRawBufferPointer(rebasing: shelf.bytes[used..<whole])
      guard let count = unsafe try? device.read(into: room), count > 0 else { break }
      used += count
    }
    var content = Content(isIncomplete: used >= whole)
    var events: [InputEvent] = []
    for offset in Swift.stride(from: 0, to: used, by: Self.stride) {
      var event = unsafe shelf.bytes.loadUnaligned(fromByteOffset: offset, as: input_event.self)
      if event.type == EV_SYN, event.code == SYN_DROPPED {
        content.isIncomplete = true
      } else if event.type == EV_SYN, event.code == SYN_REPORT {
        let isResync = Frame.isMadeUp(report: event.value, events)
        let time = unsafe evdev_event_nanoseconds(&event)
        content.frames.append(Frame(time: time, events: events, isResync: isResync))
        events = []
      } else {
        events.append(InputEvent(type: event.type, code: event.code, value: event.value))
      }
    }
    return content
  }

  /// Lets go of all that was reported up to `time` and before the last time that the device was quiet, since it is taken
  /// care of; what has come since stays.
  public func release(upTo time: Int64) {
    clear()
    let rest = content()
    if rest.isIncomplete || rest.frames.allSatisfy({ $0.time <= time }) { clear() }
  }

  /// How many bytes of the shelf hold events.
  private var used: Int {
    var offset = 0
    while unsafe offset + Self.stride <= shelf.bytes.count,
      unsafe shelf.bytes[offset..<offset + Self.stride].contains(where: { $0 != 0 })
    { offset += Self.stride }
    return offset
  }

  private func clear() {
    unsafe UnsafeMutableRawBufferPointer(rebasing: shelf.bytes[..<used]).initializeMemory(as: UInt8.self, repeating: 0)
  }

  /// How a device stood while nothing was held on it, from how it stands now: what the kernel does not repeat is as it
  /// was, and no key, finger or button is down.
  public static func quiet(_ state: Frame, at time: Int64) -> Frame {
    let events = state.events.compactMap { event -> InputEvent? in
      if event.type == EV_KEY { return nil }
      guard event.type == EV_ABS, event.code == ABS_MT_TRACKING_ID else { return event }
      return InputEvent(type: event.type, code: event.code, value: -1)
    }
    return Frame(time: time, events: events, isResync: true)
  }
}
