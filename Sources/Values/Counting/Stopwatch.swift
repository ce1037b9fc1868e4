/// A boot of the machine, and the relation of its clock to the wall clock.
///
/// The clock of a boot continues during suspend and never jumps; the wall clock can be set. The core updates this value
/// before each change.
public struct Boot: Equatable, Sendable {
  /// The ID of the boot, from the kernel.
  public let id: String
  /// The wall-clock time of boot: CLOCK_REALTIME minus CLOCK_BOOTTIME, in microseconds since 1970.
  public let began: Int64
  /// The total time in suspend since boot, in microseconds.
  public let asleep: Int64

  public init(id: String, began: Int64, asleep: Int64 = 0) {
    self.id = id
    self.began = began
    self.asleep = asleep
  }
}

extension Counter {
  /// The reading of a stopwatch at `time`, in microseconds: its value and the current run.
  ///
  /// Uses the clock of the boot, so that steps of the wall clock have no effect. After a reboot only the wall clock
  /// remains.
  public func elapsed(at time: Int64, in boot: Boot?) -> Int64 {
    let (sum, overflow) = value.addingReportingOverflow(running(at: time, in: boot))
    return overflow ? .max : sum
  }

  /// The start of the run or lap by the present wall clock, in microseconds since 1970; `nil` while stopped.
  func runStart(in boot: Boot?) -> Int64? {
    guard let since else { return nil }
    guard let boot, boot.id == self.boot, let boottime else { return since }
    let (start, overflow) = boot.began.addingReportingOverflow(boottime)
    return overflow ? since : start
  }

  /// The time since the start of the run or lap, in microseconds; 0 while stopped.
  public func running(at time: Int64, in boot: Boot?) -> Int64 {
    guard let since else { return 0 }
    if let boot, boot.id == self.boot, let boottime { return max(0, time &- boot.began &- boottime) }
    let (difference, overflow) = time.subtractingReportingOverflow(since)
    return overflow ? 0 : max(0, difference)
  }
}
