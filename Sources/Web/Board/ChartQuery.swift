public import CoreAPI
import Counting
import JSON
public import Reports

/// A query for the counts of a counter or a group over time, in steps.
public struct ChartQuery: Sendable, Hashable {
  public enum Subject: Sendable, Hashable {
    case counter(String)
    case group(String)
  }

  /// The format of the response.
  public enum Form: Sendable {
    /// SVG.
    case picture
    /// JSON with the same numbers.
    case table
  }

  public let subject: Subject
  public let unit: TimeUnit
  /// The end, in microseconds since 1970; `nil` for now.
  public let until: Int64?
  /// Whether the picture is for a narrow screen.
  public let isNarrow: Bool

  /// The maximum number of counters in a chart.
  private static let mostCounters = 20
  /// The end of the year 9999.
  private static let latest: Int64 = 253_402_300_800_000_000

  /// A query that is not valid.
  public struct Fault: Error, Equatable {
    /// The reason, as a sentence.
    public let sentence: String
  }

  /// Parses `counter=NAME` or `group=NAME`, with `by=UNIT`, `until=TIME` and `narrow=yes`.
  public init(query: Substring) throws(Fault) {
    let usage = Fault(sentence: "Ask for ?counter=NAME or ?group=NAME, with &by=minute, hour, day, week or month.")
    var values: [String: String] = [:]
    for pair in query.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let value = Self.decoded(parts[1]) else { throw usage }
      values[String(parts[0])] = value
    }
    switch (values["counter"], values["group"]) {
    case (let name?, nil): subject = .counter(name)
    case (nil, let name?): subject = .group(name)
    default: throw usage
    }
    guard let unit = TimeUnit(rawValue: values["by"] ?? "hour") else {
      throw Fault(sentence: "“by” takes minute, hour, day, week or month.")
    }
    self.unit = unit
    isNarrow = values["narrow"] != nil
    until = values["until"].flatMap { Int64($0) }
    if values["until"] != nil {
      guard let until, 1...Self.latest ~= until else {
        throw Fault(sentence: "“until” takes a time in microseconds since 1970.")
      }
    }
  }

  /// Decodes a value of a query (`%20`, `+`); `nil` if it is malformed or not UTF-8.
  private static func decoded(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
        continue
      }
      guard case let digits = String(decoding: rest.prefix(2), as: UTF8.self), digits.utf8.count == 2,
        let byte = UInt8(digits, radix: 16)
      else {
        return nil
      }
      bytes.append(byte)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  /// The counters of the chart. A group's stopwatches are left out if it has other counters.
  ///
  /// - Throws: status 404 if there are none, 422 if there are more than 20.
  public func counters(in state: BoardState) throws(Routes.Refusal) -> [Counters.Counter] {
    let found: [Counters.Counter]
    switch subject {
    case .counter(let name): found = state.counters.filter { $0.name == name }
    case .group(let name):
      let members = state.counters.filter { $0.group == name && !$0.isArchived }
      let others = members.filter { !$0.isStopwatch }
      found = others.isEmpty ? members : others
    }
    guard !found.isEmpty else {
      throw Routes.Refusal(content: .refusal(404, "none", "There is no counter of that name."))
    }
    guard found.count <= Self.mostCounters else {
      throw Routes.Refusal(content: .refusal(422, "many", "\(found.count) counters are too many for a picture."))
    }
    return found
  }

  /// The steps of the chart: the usual number for their size, at most 60.
  public func frame(of counters: [Counters.Counter], now: Int64) -> CountSeries.Frame {
    let end = until ?? now
    return CountSeries.Frame(
      unit, from: end - unit.usualSpan, until: end, days: DayStart(of: counters.map(\.period)))
  }

  /// The chart, from the core's replies; `nil` if they do not match the counters.
  public func chart(
    of counters: [Counters.Counter], title: String, _ frame: CountSeries.Frame, _ totals: Counters.TotalsReply,
    _ statistics: Counters.StatisticsReply
  ) -> Chart? {
    guard let unit = Unit.common(counters.map(\.unit)) else { return nil }
    let layers = totals.counters.compactMap { found -> PicturePlot.Layer? in
      guard let counter = counters.first(where: { $0.name == found.name }),
        let series = CountSeries(frame, found.totals, in: found.unit).scaled(to: unit)
      else { return nil }
      return PicturePlot.Layer(name: counter.title, colour: counter.colour, series: series)
    }
    guard layers.count == counters.count, let first = layers.first?.series else { return nil }
    var sum = first
    for layer in layers.dropFirst() { sum.add(layer.series) }
    var plot = PicturePlot(title: title, layers: layers, format: ValueText(unit: unit))
    if isNarrow { plot.width = 480 }
    return Chart(picture: plot.text(), table: Self.table(sum, title, unit, statistics))
  }

  private static func table(
    _ series: CountSeries, _ title: String, _ unit: Unit, _ statistics: Counters.StatisticsReply
  ) -> Routes.Content {
    .object(200) { object in
      object.add("title", title)
      object.add("from", series.steps.first?.start)
      object.add("until", series.end)
      object.add("steps", series.steps) { object, step in
        object.add("label", series.unit.label(step.start, in: series.zone, days: series.days))
        object.add("text", unit.text(step.net))
      }
      object.add("total", unit.text(series.total))
      if let first = statistics.first, let last = statistics.last {
        object.add("rate", series.rate(from: first, to: last))
        object.add("first", first)
        object.add("last", last)
      }
      if let busiest = statistics.busiest {
        object.add("busiest", unit.text(busiest.net))
        object.add("busiestAt", busiest.start)
      }
    }
  }
}

/// The response to a ``ChartQuery``, in both formats.
public struct Chart: Sendable {
  let picture: String
  let table: Routes.Content

  public func content(_ form: ChartQuery.Form) -> Routes.Content {
    switch form {
    case .table: table
    case .picture:
      Routes.Content(
        status: 200, headers: [("Content-Type", "image/svg+xml"), ("Cache-Control", "no-store")],
        body: Array(picture.utf8))
    }
  }
}
