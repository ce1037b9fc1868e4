/// What numbers of different units have in common.
extension Unit {
  /// The finest of the units; `nil` where times and things stand beside each other, and for none at all.
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

  /// A number of this unit as one of `finer`; `nil` where that does not fit, or one counts time and the other things.
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

  /// The sum of numbers of several units, in the finest of these; `nil` where there is none, or it does not fit.
  public static func sum(_ numbers: [(unit: Unit, number: Int64)]) -> (unit: Unit, number: Int64)? {
    guard let unit = common(numbers.map(\.unit)) else { return nil }
    var sum: Int64 = 0
    for (own, number) in numbers {
      guard let number = own.number(number, in: unit) else { return nil }
      let (next, overflow) = sum.addingReportingOverflow(number)
      if overflow { return nil }
      sum = next
    }
    return (unit, sum)
  }
}
