/// Notices that the machine has slept.
public struct SleepWatch: Sendable {
  private var known = Clock.asleep()

  /// Less is what it takes to read two clocks, in nanoseconds.
  private static let shortest: Int64 = 1_000_000

  public init() {}

  /// How long it has slept since this was asked last, in nanoseconds; nil where it has not.
  public mutating func slept() -> Int64? {
    let asleep = Clock.asleep()
    guard asleep - known >= Self.shortest else { return nil }
    defer { known = asleep }
    return asleep - known
  }
}
