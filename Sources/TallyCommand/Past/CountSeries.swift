import Calendars
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
  let steps: [Step]
  /// Where the last step ends.
  let end: Int64
  let zone: Zone

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
    steps = (try core.call("Totals", parameters)["totals"]?.array ?? []).map { total in
      let total = total.object ?? [:]
      return Step(
        start: total["start"]?.int ?? 0, counts: total["counts"]?.int ?? 0, added: total["added"]?.int ?? 0,
        subtracted: total["subtracted"]?.int ?? 0)
    }
    self.end = bounds.last ?? end
  }
}
