/// One change that a device reported, in the kernel's own numbers (`linux/input-event-codes.h`).
public struct InputEvent: Equatable, Sendable {
  public let type: UInt16
  public let code: UInt16
  public let value: Int32

  public init(type: UInt16, code: UInt16, value: Int32) {
    self.type = type
    self.code = code
    self.value = value
  }
}

/// All changes between two SYN_REPORTs: what a device reported as having happened at once.
public struct Frame: Equatable, Sendable {
  /// The kernel's stamp of the report, in nanoseconds of `CLOCK_BOOTTIME`.
  public let time: Int64

  /// The changes in the order in which they were reported, without SYN_REPORT itself.
  public let events: [InputEvent]

  /// Whether the kernel dropped events before this frame, or let go of everything by itself: the changes then say how
  /// things stand now, not what was done, and no gesture may be made of them.
  public let isResync: Bool

  /// Whether the kernel made a report up itself, as it does to let go of everything before a device sleeps: its
  /// SYN_REPORT then has the value 1 (drivers/input/input.c). Autorepeat is made up as well and lets go of nothing.
  package static func isMadeUp(report value: Int32, _ events: [InputEvent]) -> Bool {
    value == 1 && events.contains { $0.type == EventCode.key && $0.value == 0 }
  }

  public init(time: Int64, events: [InputEvent], isResync: Bool = false) {
    self.time = time
    self.events = events
    self.isResync = isResync
  }
}
