import Counting

/// The common unit for totals of several counters: the finest of their decimals, or microseconds if all are
/// stopwatches.
struct UnitScale {
  let unit: Unit
  /// The factors from the counters' units to the common unit, by counter ID; only those that differ from ``usual``.
  private let factors: [Int64: Int64]
  /// The factor of all other counters; 0 if they are left out.
  private let usual: Int64

  /// - Parameter stated: the decimals of the counters by ID, `nil` for a stopwatch. If all counters are included, those
  ///   without decimals may be missing.
  init(_ stated: [Int64: Int64?], isWhole: Bool) {
    let isTime = !isWhole && !stated.isEmpty && stated.values.allSatisfy { $0 == nil }
    let finest = stated.values.compactMap(\.self).max() ?? 0
    unit = isTime ? .time : .decimal(finest)
    // Stopwatches and other counters have no common sum.
    factors = stated.mapValues { decimals in decimals.map { Self.power(finest - $0) } ?? (isTime ? 1 : 0) }
    usual = isWhole ? Self.power(finest) : 0
  }

  /// The powers of ten from 0 to 9.
  static func power(_ exponent: Int64) -> Int64 { (0..<min(max(exponent, 0), 9)).reduce(1) { power, _ in power * 10 } }

  /// The factor from the unit of a counter to the common unit; 0 if the counter is left out.
  func factor(of counter: Int64) -> Int64 { factors[counter] ?? usual }

  /// The factor of the rollups of all counters with this number of decimals.
  func factor(ofAllWith decimals: Int64) -> Int64 {
    guard case .decimal(let finest) = unit else { return 0 }
    return Self.power(finest - decimals)
  }
}

extension JournalReader {
  func stopwatches(among counters: Set<Counter.ID>) throws(StoreError) -> Set<Counter.ID> {
    let found = try past.units.rows(.init(counters)) { row throws(StoreError) in
      row.text(1) == "stopwatch" ? Counter.ID(row.integer(0)) : nil
    }
    return Set(found.compactMap(\.self))
  }

  func scale(of counters: Set<Counter.ID>?) throws(StoreError) -> UnitScale {
    var stated: [Int64: Int64?] = [:]
    let statement = counters == nil ? past.unusualUnits : past.units
    _ = try statement.each([counters.map { .init($0) } ?? .null]) { row throws(StoreError) in
      stated.updateValue(row.text(1) == "stopwatch" ? nil : row.decimals(2), forKey: row.integer(0))
    }
    return UnitScale(stated, isWhole: counters == nil)
  }
}
