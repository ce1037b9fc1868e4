/// What the counters of a group come to together.
public struct Overview: Equatable, Sendable {
  public struct Member: Equatable, Sendable {
    public let counter: Counter
    /// What it shows, in its own unit.
    public let value: Int64
    /// Its part of the sum in tenths of a per cent, rounded; `nil` where there is none.
    public let share: Int64?
  }

  /// Those that are not archived, in order.
  public let members: [Member]
  /// In ``unit``; `nil` where times and things stand beside each other, or where it fits nowhere.
  public let sum: Int64?
  /// The finest of the members' units; `nil` where they cannot be compared.
  public let unit: Unit?
  /// The first of those with the highest and with the lowest value; `nil` where they cannot be compared.
  public let highest: Counter?
  public let lowest: Counter?
}

extension Ledger {
  /// - Parameters:
  ///   - group: the group, or `nil` for the counters without one.
  ///   - time: for stopwatches that run, in microseconds since 1970.
  public func overview(of group: Group?, at time: Int64) -> Overview {
    let counters = members(of: group?.id).filter { !$0.isArchived }
    let values = counters.map { $0.isStopwatch ? $0.elapsed(at: time, in: boot) : $0.value }
    let unit = Unit.common(counters.map(\.unit))
    let scaled = unit.flatMap { unit in
      let numbers = zip(counters, values).compactMap { $0.unit.number($1, in: unit) }
      return numbers.count == counters.count ? numbers : nil
    }
    let sum = Unit.sum(zip(counters, values).map { ($0.unit, $1) })?.number
    // A part of what is partly taken off would say nothing.
    let whole = sum.flatMap { sum in sum > 0 && scaled?.allSatisfy { $0 >= 0 } == true ? sum : nil }
    let members = counters.indices.map { index in
      Overview.Member(
        counter: counters[index], value: values[index],
        share: whole.flatMap { whole in scaled.map { Self.share($0[index], of: whole) } })
    }
    return Overview(
      members: members, sum: sum, unit: unit,
      highest: scaled.flatMap { $0.max().flatMap($0.firstIndex) }.map { counters[$0] },
      lowest: scaled.flatMap { $0.min().flatMap($0.firstIndex) }.map { counters[$0] })
  }

  /// Both are positive, and the part is no more than the whole: so the result is at most 1000.
  private static func share(_ part: Int64, of whole: Int64) -> Int64 {
    let product = part.magnitude.multipliedFullWidth(by: 1000)
    let (quotient, rest) = whole.magnitude.dividingFullWidth(product)
    return Int64(clamping: quotient) + (rest >= whole.magnitude - rest ? 1 : 0)
  }
}
