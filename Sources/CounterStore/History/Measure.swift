import Counting

/// In which unit several counters are summed up, exactly: things in the finest of their decimals, times only by themselves.
struct Measure {
  let unit: Unit
  /// How many of the unit one of a counter's own is, by the counters' numbers; only those that are not ``usual``.
  private let factors: [Int64: Int64]
  /// The same for all others; 0 for those that are left out.
  private let usual: Int64

  /// - Parameter stated: the decimals of the counters that are meant, by their numbers, `nil` for a stopwatch; where all
  ///   counters are meant, those without decimals may be missing.
  init(_ stated: [Int64: Int64?], isWhole: Bool) {
    let isTime = !isWhole && !stated.isEmpty && stated.values.allSatisfy { $0 == nil }
    let finest = stated.values.compactMap(\.self).max() ?? 0
    unit = isTime ? .time : .decimal(finest)
    // Times and things have no sum.
    factors = stated.mapValues { decimals in decimals.map { Self.power(finest - $0) } ?? (isTime ? 1 : 0) }
    usual = isWhole ? Self.power(finest) : 0
  }

  /// 10 to the power of 0 to 9.
  static func power(_ exponent: Int64) -> Int64 { (0..<min(max(exponent, 0), 9)).reduce(1) { power, _ in power * 10 } }

  /// How many of the unit one of a counter's own is; 0 where it is left out.
  func factor(of counter: Int64) -> Int64 { factors[counter] ?? usual }

  /// The same for the summaries of all counters with so many decimals.
  func factor(ofAllWith decimals: Int64) -> Int64 {
    guard case .decimal(let finest) = unit else { return 0 }
    return Self.power(finest - decimals)
  }
}

extension CounterStore {
  func measure(of counters: Set<Counter.ID>?) throws(StoreError) -> Measure {
    let numbers = counters.map { "[\($0.map { String($0.number) }.joined(separator: ","))]" }
    var stated: [Int64: Int64?] = [:]
    let statement = numbers == nil ? past.unusualUnits : past.units
    _ = try statement.each([.init(numbers)]) { row throws(StoreError) in
      stated.updateValue(row.text(1) == "stopwatch" ? nil : min(max(row.integer(2), 0), 9), forKey: row.integer(0))
    }
    return Measure(stated, isWhole: counters == nil)
  }
}
