import CLinux
import Clibevdev
public import Gestures
import Glibc
public import Platform

/// A second opening of an input device, which nobody reads while all goes well and which outlives the process: the
/// kernel keeps in it what the device has reported since the last time that everything was taken care of.
///
/// It holds what the kernel's buffer holds: 64 events or more, by the device's driver. While the device is taken for one
/// program alone the kernel gives it nothing.
@safe
public final class EventMemory {
  /// What is given to whoever keeps it.
  public let descriptor: Descriptor

  /// Opens the device at `path` once more.
  public init(path: String) throws(DeviceError) {
    let number = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard number >= 0 else { throw DeviceError(.current("open \(path)")) }
    descriptor = Descriptor(owning: number)
    let clock = linux_input_use_monotonic(number)
    guard clock == 0 else { throw DeviceError(SystemError("set the clock of the device", code: clock)) }
  }

  /// Takes up one that an earlier process opened.
  public init(keptFrom descriptor: Descriptor) { self.descriptor = descriptor }

  /// What was kept.
  public struct Content: Equatable, Sendable {
    /// What the device reported, oldest first.
    public var frames: [Frame]
    /// Whether there was more than the kernel keeps; nothing can be made of the rest then.
    public var isIncomplete: Bool

    public init(frames: [Frame] = [], isIncomplete: Bool = false) {
      self.frames = frames
      self.isIncomplete = isIncomplete
    }
  }

  /// Takes out all that is in it.
  public func take() -> Content {
    var content = Content()
    var events: [InputEvent] = []
    while let raw = read(), !raw.isEmpty {
      for var event in raw {
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
    }
    return content
  }

  private func read() -> [input_event]? {
    var events = [input_event](repeating: input_event(), count: 64)
    let count = unsafe events.withUnsafeMutableBytes { bytes in unsafe try? descriptor.read(into: bytes) }
    return count.flatMap { $0 }.map { Array(events.prefix($0 / MemoryLayout<input_event>.stride)) }
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
