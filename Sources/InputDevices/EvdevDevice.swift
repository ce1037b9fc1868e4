import CLinux
import Clibevdev
public import Gestures
import Glibc
public import Platform

/// An input device of the kernel, open for reading: its events become ``Frame``s.
///
/// Stamps are those of `CLOCK_BOOTTIME`. What the kernel had to drop is made good by one frame that says how things
/// stand (``Frame/isResync``). The opening and what was read from it can outlive the process (``descriptors``); the next
/// one then goes on as if it were the same. Used by one thread.
@safe
public final class EvdevDevice {
  /// What the device says of itself, axes included.
  public private(set) var description: DeviceDescription
  /// How things stood before what ``drain(_:)`` gives first: keys held, contacts on the glass.
  public let beginning: Frame
  /// Whether an earlier process had it open, and its opening is gone on with.
  public let isContinued: Bool
  /// Whether events were lost because they were not read in time.
  public private(set) var hasLostEvents = false

  private let opening: Descriptor
  private let memory: EventMemory
  /// How it stands, as far as the drained frames tell.
  private let current: EvdevState
  private var events: [InputEvent] = []

  /// More events than any frame of the kernel has; a longer one is cut there.
  private static let longestFrame = 4096

  /// Opens the device behind `path`, which is never written to.
  ///
  /// - Parameter kept: the ``descriptors`` that an earlier process had of it, in whatever order; where they are something
  ///   else they are closed.
  /// - Throws: `denied` without the right, `gone` where nothing is, `failed` where it is no input device.
  public init(path: String, kept: [Descriptor] = []) throws(DeviceError) {
    let number = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard number >= 0 else { throw DeviceError(.current("open \(path)")) }
    let opened = Descriptor(owning: number)
    current = try EvdevState(asking: opened)
    description = current.description
    let now = Clock.boottime()
    if let earlier = Self.earlier(kept) {
      (opening, memory) = earlier
      isContinued = true
      // An earlier version had another clock; the kernel throws away what it stamped by that, and says so.
      _ = linux_input_use_boottime(opening.number)
    } else {
      opening = opened
      do throws(SystemError) { memory = try EventMemory() } catch { throw DeviceError(error) }
      isContinued = false
      let clock = linux_input_use_boottime(number)
      guard clock == 0 else { throw DeviceError(SystemError("set the clock of the device", code: clock)) }
    }
    if let events = memory.beginning() {
      current.go(to: events)
      var first = memory.peek() ?? evdev_event(now, 0, 0, 0)
      beginning = Frame(time: unsafe evdev_event_nanoseconds(&first), events: current.events, isResync: true)
    } else {
      hasLostEvents = memory.isIncomplete
      beginning = Frame(time: now, events: current.events, isResync: true)
      memory.begin(with: beginning.events, at: now)
    }
  }

  /// Opens a device that udev was asked about; what udev knows of it is part of its description then.
  public convenience init(node: DeviceNode, kept: [Descriptor] = []) throws(DeviceError) {
    try self.init(path: node.path, kept: kept)
    description.udev = node.properties
    description.links = node.description.links
  }

  /// What a loop waits for: readable when ``drain(_:)`` has something to do.
  public var readiness: Descriptor { opening }

  /// How things stand now, for a recogniser that has seen nothing of the device.
  ///
  /// Its stamp is the time of the call.
  public func state() -> Frame { Frame(time: Clock.boottime(), events: current.events, isResync: true) }

  /// Whether any key or button (a touch counts as one) is held, as far as the drained frames tell.
  public var hasKeysDown: Bool { current.hasKeysDown }

  /// Whether any contact is on the surface (or hovers above it), as far as the drained frames tell.
  public var hasContacts: Bool { current.hasContacts }

  /// Takes the device for this process alone; the kernel lets it go when nobody keeps the opening any more. One that an
  /// earlier process took is not let go in between: not a press of it is heard by others.
  ///
  /// - Returns: whether it was taken already.
  /// - Throws: `failed` with `EBUSY` where another program has taken it.
  public func take() throws(DeviceError) -> Bool {
    if memory.isTaken { return true }
    var result = linux_input_grab(opening.number, 1)
    if result == -EBUSY, isContinued {
      // An earlier process may have died between taking it through the same opening and noting that.
      _ = linux_input_grab(opening.number, 0)
      result = linux_input_grab(opening.number, 1)
    }
    guard result == 0 else {
      throw DeviceError(SystemError("take the device for this program alone", code: result))
    }
    memory.isTaken = true
    return false
  }

  /// Gives the device back to all programs; nothing where it is not taken.
  public func letGo() {
    memory.isTaken = false
    _ = linux_input_grab(opening.number, 0)
  }

  // MARK: Outliving the process

  /// What is to be kept for the next process: the opening, and what was read from it since the last ``release()``.
  public var descriptors: [Descriptor] { [opening, memory.descriptor] }

  /// Lets go of what was drained, since no later process needs it: that would begin with how things stand now. Only while
  /// nothing that was reported could become anything more.
  ///
  /// - Returns: whether there was anything to let go of.
  public func release() -> Bool {
    guard events.isEmpty, memory.holdsEvents else { return false }
    memory.begin(with: current.events, at: Clock.boottime())
    return true
  }

  private static func earlier(_ kept: [Descriptor]) -> (Descriptor, EventMemory)? {
    guard kept.count == 2 else { return nil }
    for (opening, shelf) in [(kept[0], kept[1]), (kept[1], kept[0])] {
      // A file has a place to be read from; a device has none.
      if let memory = try? EventMemory(shelf), lseek(opening.number, 0, SEEK_CUR) < 0 { return (opening, memory) }
    }
    return nil
  }

  // MARK: Reading

  /// Gives all frames that are ready to `handle`, oldest first: what an earlier process had not taken care of, and what the
  /// kernel has.
  ///
  /// - Throws: `gone` once the device is; frames that were read until then have been handled.
  public func drain(_ handle: (Frame) -> Void) throws(DeviceError) {
    while try hasMore() {
      while let event = memory.next() {
        if event.type == EV_SYN, event.code == SYN_DROPPED {
          memory.skip()
          try catchUp(since: event, handle)
        } else if current.apply(InputEvent(event)) {
          take(event, handle)
        }
      }
    }
  }

  private func hasMore() throws(DeviceError) -> Bool {
    if memory.peek() != nil { return true }
    do throws(SystemError) { return try memory.fill(from: opening) } catch { throw DeviceError(error) }
  }

  /// Events of the frame that the loss cut off stay in it: they are known already and no difference any more.
  private func catchUp(since drop: input_event, _ handle: (Frame) -> Void) throws(DeviceError) {
    hasLostEvents = true
    try current.catchUp(with: opening) { finding in
      switch finding {
      case .difference(let event): events.append(event)
      case .caughtUp: emit(at: drop, isResync: true, handle)
      case .event(let event): take(event, handle)
      }
    }
  }

  private func take(_ event: input_event, _ handle: (Frame) -> Void) {
    guard event.type == EV_SYN, event.code == SYN_REPORT else {
      events.append(InputEvent(event))
      if events.count == Self.longestFrame { emit(at: event, handle) }
      return
    }
    emit(at: event, isResync: Frame.isMadeUp(report: event.value, events), handle)
  }

  private func emit(at event: input_event, isResync: Bool = false, _ handle: (Frame) -> Void) {
    guard isResync || !events.isEmpty else { return }
    var event = event
    let frame = Frame(time: unsafe evdev_event_nanoseconds(&event), events: events, isResync: isResync)
    events.removeAll(keepingCapacity: true)
    handle(frame)
  }
}
