/// A summary of the counters of a group.
public struct Overview: Equatable, Sendable {
  public struct Member: Equatable, Sendable {
    public let counter: Counter
    /// The value, in the counter's unit.
    public let value: Int64
    /// The share of the sum in tenths of a percent, rounded; `nil` without a sum above 0, or if a member is negative.
    public let share: Int64?
  }

  /// The counters that are not archived, in order.
  public let members: [Member]
  /// The sum in ``unit``; `nil` if the members differ in their units, or if it exceeds 64 bits.
  public let sum: Int64?
  /// The unit of all members; `nil` if they differ.
  public let unit: Unit?
  /// The first member with the highest value; `nil` if the members differ in their units.
  public let highest: Counter?
  /// The first member with the lowest value; `nil` if the members differ in their units.
  public let lowest: Counter?
}

extension Ledger {
  /// - Parameters:
  ///   - group: the group, or `nil` for the counters without one.
  ///   - time: the time for running stopwatches, in microseconds since 1970.
  public func overview(of group: Group?, at time: Int64) -> Overview {
    let counters = members(of: group?.id).filter { !$0.isArchived }
    let values = counters.map { $0.isStopwatch ? $0.elapsed(at: time, in: boot) : $0.value }
    let unit = counters.first.map(\.unit).flatMap { unit in counters.allSatisfy { $0.unit == unit } ? unit : nil }
    let sum = Unit.sum(zip(counters, values).map { ($0.unit, $1) })?.number
    // With a negative member, shares would be meaningless.
    let whole = sum.flatMap { sum in sum > 0 && values.allSatisfy { $0 >= 0 } ? sum : nil }
    let members = counters.indices.map { index in
      Overview.Member(
        counter: counters[index], value: values[index], share: whole.map { Self.share(values[index], of: $0) })
    }
    func first(_ value: Int64?) -> Counter? {
      unit == nil ? nil : value.flatMap(values.firstIndex).map { counters[$0] }
    }
    return Overview(
      members: members, sum: sum, unit: unit, highest: first(values.max()), lowest: first(values.min()))
  }

  /// The share in tenths of a percent, at most 1000. Both numbers are positive, and the part is not larger.
  private static func share(_ part: Int64, of whole: Int64) -> Int64 {
    let product = part.magnitude.multipliedFullWidth(by: 1000)
    let (quotient, rest) = whole.magnitude.dividingFullWidth(product)
    return Int64(clamping: quotient) + (rest >= whole.magnitude - rest ? 1 : 0)
  }
}
