import CoreAPI
import Linux
import Reports

extension CountSeries {
  /// Fetches the series from the core.
  ///
  /// - Parameters:
  ///   - counters: the names of the counters; `nil` for all.
  ///   - unit: the size of the steps; default: the smallest with at most `most` steps.
  ///   - isOwn: whether counts of other stations are left out.
  ///   - isWhole: whether a series without a start begins at the first count, instead of the usual time before the end.
  ///   - days: the start of days, weeks, months and years; default: that of the counters' periods.
  init(
    _ core: CoreClient, _ counters: [String]?, _ unit: TimeUnit?, _ span: (from: Int64?, until: Int64?), most: Int,
    isOwn: Bool = false, isWhole: Bool = false, days: DayStart? = nil
  ) throws {
    let frame = try Self.frame(core, counters, unit, span, most: most, isOwn: isOwn, isWhole: isWhole, days: days)
    let reply = try core.call(.totals(counters: counters, bounds: frame.bounds, own: isOwn ? true : nil))
    self.init(frame, reply.totals, in: reply.unit)
  }

  /// The steps of a series; see ``init(_:_:_:_:most:isOwn:isWhole:days:)``.
  static func frame(
    _ core: CoreClient, _ counters: [String]?, _ unit: TimeUnit?, _ span: (from: Int64?, until: Int64?), most: Int,
    isOwn: Bool = false, isWhole: Bool = false, days: DayStart? = nil
  ) throws -> Frame {
    let end = span.until ?? max(Clock.microsecondsSince1970(), (span.from ?? 0) &+ 1)
    var start = span.from
    if start == nil, !isWhole, let unit { start = end - unit.usualSpan }
    if start == nil { start = try Self.start(core, counters, until: end, most: most, isOwn: isOwn) }
    let known = days == nil ? try core.call(.list).counters : []
    let asked = known.filter { counters?.contains($0.name) ?? true }
    var frame = Frame(
      unit, from: min(start ?? end - 3_600_000_000, end - 1), until: end, most: most,
      days: days ?? DayStart(of: asked.map(\.period)))
    if let start, let first = frame.bounds.first, first > start {
      Output.remark(
        "Only the last 2,000 steps are counted, from \(LocalTime.minute(first)) on; --by \(Frame.unit(from: start, until: end).rawValue) has all of them."
      )
    }
    frame.cut(from: span.from, until: span.until)
    return frame
  }

  /// The time of the first count, or the start of its quarter hour if it may contain counts of other stations.
  private static func start(
    _ core: CoreClient, _ counters: [String]?, until end: Int64, most: Int, isOwn: Bool
  ) throws -> Int64? {
    let found = try core.call(.statistics(counters: counters, until: end, own: isOwn ? true : nil))
    guard let first = found.first, !isOwn else { return found.first }
    // Only steps of one or five minutes are shorter than a quarter hour.
    guard first > end - TimeUnit.fiveMinutes.length * Int64(most) else { return first }
    let own = try core.call(.statistics(counters: counters, until: end, own: true))
    return own.total == found.total ? first : first - first % 900_000_000
  }
}
