import Calendars
import Counting
import Platform
import Varlink

/// What was counted hour by hour, or in other steps: what tables and pictures are made of.
struct CountSeries {
  struct Step {
    let start: Int64
    let counts: Int64
    let added: Int64
    let subtracted: Int64

    var net: Int64 { added.subtractingReportingOverflow(subtracted).partialValue }
  }

  let unit: TimeUnit
  private(set) var steps: [Step]
  /// Where the last step ends.
  let end: Int64
  let zone: Zone
  /// How the numbers of its steps read.
  private(set) var format: ValueText

  /// The same in a finer unit; `nil` where the numbers do not fit, or one counts time and the other things.
  func scaled(to unit: Unit) -> CountSeries? {
    var series = self
    series.format = ValueText(unit: unit)
    let steps = steps.compactMap { step -> Step? in
      guard let added = format.unit.number(step.added, in: unit),
        let subtracted = format.unit.number(step.subtracted, in: unit)
      else { return nil }
      return Step(start: step.start, counts: step.counts, added: added, subtracted: subtracted)
    }
    guard steps.count == self.steps.count else { return nil }
    series.steps = steps
    return series
  }
}

extension CountSeries {
  /// Asks the core.
  ///
  /// - Parameters:
  ///   - which: the parameters that say which counters are meant.
  ///   - unit: the steps; without it what fits into `most` steps.
  init(
    _ core: CoreClient, _ which: JSONObject, _ unit: TimeUnit?, _ span: (from: Int64?, until: Int64?), most: Int
  ) throws {
    zone = TimeSpan.zone
    let now = Clock.microsecondsSince1970()
    let end = span.until ?? now
    var start = span.from
    if start == nil, let unit { start = end - unit.length * (unit.usualCount - 1) }
    if start == nil {
      var parameters = which
      parameters["until"] = .int(end)
      start = try core.call("Statistics", parameters)["first"]?.int
    }
    let begin = min(start ?? end - 3_600_000_000, end - 1)
    self.unit =
      unit ?? TimeUnit.allCases.first { (end - begin) / $0.length + 1 < Int64(most) } ?? .month
    let bounds = self.unit.bounds(from: begin, until: end, most: min(2000, unit == nil ? most : 2000), in: zone)
    var parameters = which
    parameters["bounds"] = .array(bounds.map(JSON.int))
    let reply = try core.call("Totals", parameters)
    format = ValueText(unit: reply["stopwatches"]?.bool == true ? .time : .decimal(reply["decimals"]?.int ?? 0))
    steps = (reply["totals"]?.array ?? []).map { total in
      let total = total.object ?? [:]
      return Step(
        start: total["start"]?.int ?? 0, counts: total["counts"]?.int ?? 0, added: total["added"]?.int ?? 0,
        subtracted: total["subtracted"]?.int ?? 0)
    }
    self.end = bounds.last ?? end
  }
}
