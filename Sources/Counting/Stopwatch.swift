/// Which run of the machine this is, and how its clock stands to the time that people read.
///
/// The clock of a run goes on while the machine sleeps and never jumps; the time that people read is set and corrected.
/// Whoever knows both tells the ledger before each change.
public struct Boot: Equatable, Sendable {
  /// What tells it from any other run, such as the kernel's boot id.
  public let id: String
  /// The time that people read, in microseconds since 1970, when the run's clock stood at 0.
  public let began: Int64
  /// For how long the machine has slept in this run, in microseconds.
  public let asleep: Int64

  public init(id: String, began: Int64, asleep: Int64 = 0) {
    self.id = id
    self.began = began
    self.asleep = asleep
  }
}

extension Counter {
  /// The time that a stopwatch shows at `time`, in microseconds: what it counted, and what it has run since.
  ///
  /// Within one run of the machine its clock decides, so that setting the time changes nothing; across a restart only
  /// the time that people read goes on.
  public func elapsed(at time: Int64, in boot: Boot?) -> Int64 {
    let (sum, overflow) = value.addingReportingOverflow(running(at: time, in: boot))
    return overflow ? .max : sum
  }

  /// How long it has run since it was started or its last lap began; 0 while it stands.
  func running(at time: Int64, in boot: Boot?) -> Int64 {
    guard let since else { return 0 }
    if let boot, boot.id == self.boot, let boottime { return max(0, time &- boot.began &- boottime) }
    let (difference, overflow) = time.subtractingReportingOverflow(since)
    return overflow ? 0 : max(0, difference)
  }
}
