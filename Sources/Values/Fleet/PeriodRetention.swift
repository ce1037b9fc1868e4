/// The periods of a counter that a station keeps and sends to others.
///
/// Only the total of the present period is shown; totals of ended ones come from the quarter hours. Ended periods are
/// kept for late counts and their undos. Later ones are kept because clocks differ.
public struct PeriodRetention: Sendable {
  /// The maximum number of ended periods.
  static let ended = 64
  /// The maximum number of next periods, which stations with clocks ahead have begun.
  static let next = 4
  /// The maximum number of the latest known periods. If this station's clock is behind, other stations count in one of
  /// these.
  static let last = 64

  /// The start of the present period, or the time if the counter is not counted here; `nil` without periods.
  private let present: Int64?

  public init(present: Int64?) { self.present = present }

  /// The starts of periods to send to others, the most important first: the present one, then ended ones (the newest
  /// first), then later ones (the earliest first).
  func sorted(_ starts: Set<Int64>) -> [Int64] {
    guard let present else { return [] }
    return starts.filter { $0 <= present }.sorted(by: >) + starts.filter { $0 > present }.sorted()
  }

  /// The starts of the periods to keep.
  func kept(of starts: Set<Int64>) -> Set<Int64> {
    guard let present else { return [] }
    let past = starts.filter { $0 <= present }.sorted(by: >)
    let later = starts.filter { $0 > present }.sorted()
    return Set(past.prefix(1 + Self.ended)).union(later.prefix(Self.next)).union(later.suffix(Self.last))
  }
}
