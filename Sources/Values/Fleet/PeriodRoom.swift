/// The periods of a counter that a station keeps and tells others of.
///
/// Only the total of the present period is shown; those of ended ones come from the quarter hours. Ended periods are kept
/// for late counts and their undos. Later ones are kept because clocks differ.
public struct PeriodRoom: Sendable {
  /// The number of ended periods.
  static let ended = 64
  /// The number of periods after the present one, which stations have begun whose clocks are ahead.
  static let next = 4
  /// The number of the last periods. One of them is the present one of all others where the clock here is far behind.
  static let last = 64

  /// The start of the present period; the time for a counter that is not counted here; `nil` for a counter without periods.
  private let present: Int64?

  public init(present: Int64?) { self.present = present }

  /// The starts of periods to tell others of, the most important first: the present one, ended ones from the newest,
  /// later ones from the next.
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
