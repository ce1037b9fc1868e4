/// Compares the rollups of a journal, from which histories and totals are read, with its events.
struct RollupCheck {
  private let database: Database
  private let rollups: Rollups
  private let report: (String) -> Void
  private let block: Statement
  private let isCauseSaved: Statement
  private let lastFrom: Statement

  /// - Parameter report: receives each difference as a sentence.
  init(_ database: Database, report: @escaping (String) -> Void) throws(StoreError) {
    self.database = database
    self.report = report
    rollups = Rollups(database)
    block = try database.prepare("SELECT earliest, latest FROM block WHERE number = ?")
    isCauseSaved = try database.prepare("SELECT 1 FROM block_cause WHERE cause = ? AND block = ?")
    lastFrom = try database.prepare("SELECT last FROM block_counter WHERE counter = ? AND first = ?")
  }

  func run() throws(StoreError) {
    var sums: [QuarterHour.Key: QuarterHour.Summary] = [:]
    var (places, causes) = (0, 0)
    for number in 0..<(try rollups.count()) {
      let events = try rollups.events(Rollups.sequences(of: number))
      try checkTimes(of: events, in: number)
      causes += try checkCauses(of: events, in: number)
      places += try checkPlaces(of: events)
      for (key, summary) in try rollups.quarters(of: events) { sums[key, default: .init()].include(summary) }
    }
    if try database.integer("SELECT count(*) FROM block_counter") != Int64(places) {
      report("The index has entries of counters without events there.")
    }
    if try database.integer("SELECT count(*) FROM block_cause") != Int64(causes) {
      report("The index has entries of causes without events there.")
    }
    try checkQuarters(sums)
  }

  private func checkTimes(of events: [EventRow], in number: Int64) throws(StoreError) {
    let times = events.map(\.time)
    let saved = try block.rows(.integer(number)) { row throws(StoreError) in [row.integer(0), row.integer(1)] }
    guard let first = events.first, let last = events.last, saved != [[times.min() ?? 0, times.max() ?? 0]] else {
      return
    }
    report("The times of the events \(first.sequence) to \(last.sequence) are wrong in the index.")
  }

  /// Checks the causes; returns their number.
  private func checkCauses(of events: [EventRow], in number: Int64) throws(StoreError) -> Int {
    let causes = Set(events.map(\.cause))
    for cause in causes {
      if try isCauseSaved.number(.integer(cause), .integer(number)) == nil, let first = events.first {
        report("The index entry of cause \(cause) for the events from \(first.sequence) is missing.")
      }
    }
    return causes.count
  }

  /// Checks the first and last events of counters; returns the number of counters.
  private func checkPlaces(of events: [EventRow]) throws(StoreError) -> Int {
    let places = Rollups.places(of: events)
    for (counter, place) in places {
      if try lastFrom.number(.integer(counter), .integer(place.first)) != place.last {
        report(
          "The index entry of the events \(place.first) to \(place.last) of counter \(counter) is wrong or missing.")
      }
    }
    return places.count
  }

  private func checkQuarters(_ sums: [QuarterHour.Key: QuarterHour.Summary]) throws(StoreError) {
    var sums = sums
    _ = try database.prepare("SELECT counter, number, \(QuarterHour.Summary.columns) FROM quarter").each([]) {
      row throws(StoreError) in
      let key = QuarterHour.Key(counter: row.integer(0), number: row.integer(1))
      if sums.removeValue(forKey: key) != QuarterHour.Summary(row, from: 2) {
        report("The totals of counter \(key.counter) in quarter hour \(key.number) differ from the sum of its events.")
      }
    }
    if let missing = sums.keys.min() {
      report("The totals of counter \(missing.counter) in quarter hour \(missing.number) are missing.")
    }
  }
}
