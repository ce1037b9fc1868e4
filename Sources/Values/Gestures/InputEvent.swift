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

  /// Whether the event belongs to a protocol for several contacts.
  var isOfSeveralContacts: Bool {
    type == EventCode.EV_ABS && EventCode.ABS_MT_SLOT...EventCode.ABS_MT_DISTANCE ~= code
  }

  /// Whether the event states that the surface is touched.
  var isTouch: Bool { type == EventCode.EV_KEY && code == EventCode.BTN_TOUCH && value != 0 }
}

/// All changes between two SYN_REPORTs, which the device reports as simultaneous.
public struct Frame: Equatable, Sendable {
  /// The kernel's stamp of the report, in nanoseconds of `CLOCK_BOOTTIME`.
  public let time: Int64

  /// The changes in the order in which they were reported, without SYN_REPORT itself.
  public let events: [InputEvent]

  /// Whether the kernel dropped events before this frame, or released all keys by itself. The changes then describe the
  /// present state and not a person's actions, so they complete no gesture.
  public let isResync: Bool

  public init(time: Int64, events: [InputEvent], isResync: Bool = false) {
    self.time = time
    self.events = events
    self.isResync = isResync
  }
}

/// Detects the reports that the kernel synthesizes to release all keys of a device, for example before a suspend: their
/// SYN_REPORT has the value 1 (drivers/input/input.c). Autorepeat has that value too, but releases no key.
package struct SynthesizedReports: Equatable, Sendable {
  /// Whether the device's own reports also have the value 1: one of them contained a press.
  private var isValueOfAll = false

  package init() {}

  /// Whether the kernel synthesized the next report of the device.
  package mutating func contain(_ events: [InputEvent], report value: Int32) -> Bool {
    guard value == 1, !isValueOfAll else { return false }
    let keys = events.lazy.filter { $0.type == EventCode.EV_KEY }
    isValueOfAll = keys.contains { $0.value == 1 }
    return !isValueOfAll && keys.contains { $0.value == 0 }
  }
}

extension Int64 {
  /// The time since an earlier stamp; nil if that stamp is later, because the time that passed is unknown then.
  func elapsed(since earlier: Int64) -> Int64? {
    let (difference, overflow) = subtractingReportingOverflow(earlier)
    return overflow || difference < 0 ? nil : difference
  }

  /// The stamp later by `time`, clamped to 64 bits.
  func later(by time: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(time)
    return overflow ? .max : sum
  }
}
