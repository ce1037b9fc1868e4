/// When the clocks of a zone were and will be changed, and how far they are from universal time in between.
public struct ZoneRules: Equatable, Sendable {
  /// A moment at which the clocks change.
  public struct Transition: Equatable, Sendable {
    /// Seconds since 1970-01-01T00:00:00Z.
    public let time: Int64
    /// Seconds east of universal time, from then on.
    public let offset: Int
  }

  /// The offset before the first transition.
  let first: Int
  /// In order of time.
  let transitions: [Transition]
  /// What goes on after the last transition.
  let yearly: YearlyRule?

  /// Universal time.
  public static let utc = ZoneRules(first: 0, transitions: [], yearly: nil)

  /// Seconds east of universal time at a moment, in seconds since 1970.
  public func offset(at time: Int64) -> Int {
    if let last = transitions.last, time < last.time {
      let index = firstIndex(after: time)
      return index == 0 ? first : transitions[index - 1].offset
    }
    return yearly?.offset(at: time) ?? transitions.last?.offset ?? first
  }

  /// The first change of the clocks after a moment; `nil` where there is none any more.
  public func transition(after time: Int64) -> Transition? {
    let index = firstIndex(after: time)
    if index < transitions.count { return transitions[index] }
    return yearly?.transition(after: max(time, transitions.last?.time ?? time))
  }

  private func firstIndex(after time: Int64) -> Int {
    var (low, high) = (0, transitions.count)
    while low < high {
      let middle = (low + high) / 2
      if transitions[middle].time <= time { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
