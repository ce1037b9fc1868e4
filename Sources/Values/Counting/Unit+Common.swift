/// Conversion between units.
extension Unit {
  /// The finest of the units; `nil` for an empty list, or if time and decimal units are mixed.
  public static func common(_ units: some Sequence<Unit>) -> Unit? {
    var common: Unit?
    for unit in units {
      switch (common, unit) {
      case (nil, _): common = unit
      case (.time, .time): break
      case (.decimal(let finest), .decimal(let decimals)): common = .decimal(max(finest, decimals))
      default: return nil
      }
    }
    return common
  }

  /// The unit of a chart of a group, which leaves out counters of other units: the first one that is not time.
  public static func ofChart(_ units: [Unit]) -> Unit? { units.first { $0 != .time } ?? units.first }

  /// The number in the unit `finer`; `nil` if it exceeds 64 bits, or if only one of the units is time.
  public func number(_ number: Int64, in finer: Unit) -> Int64? {
    switch (self, finer) {
    case (.time, .time): return number
    case (.decimal(let decimals), .decimal(let finest)):
      var number = number
      for _ in decimals..<max(decimals, finest) {
        let (product, overflow) = number.multipliedReportingOverflow(by: 10)
        if overflow { return nil }
        number = product
      }
      return number
    default: return nil
    }
  }

  /// The sum of numbers, with their unit; `nil` if they differ in their units, or if the sum exceeds 64 bits.
  public static func sum(_ numbers: [(unit: Unit, number: Int64)]) -> (unit: Unit, number: Int64)? {
    guard let unit = numbers.first?.unit, numbers.allSatisfy({ $0.unit == unit }) else { return nil }
    let sum = numbers.reduce(0 as Int128) { $0 + Int128($1.number) }
    return Int64(exactly: sum).map { (unit, $0) }
  }
}
