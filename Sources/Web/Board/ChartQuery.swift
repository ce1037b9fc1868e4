public import CoreAPI
import Counting
import JSON
public import Reports

/// A query for the counts of a counter or a group over time, in steps.
public struct ChartQuery: Sendable, Hashable {
  public enum Subject: Sendable, Hashable {
    case counters([String])
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
  fileprivate static let mostCounters = 20
  /// The end of the year 9999.
  static let latest: Int64 = 253_402_300_800_000_000

  /// A query that is not valid.
  public struct Fault: Error, Equatable {
    /// The reason, as a sentence.
    public let sentence: String
  }

  /// Parses `counter=NAME`, `counter=NAME,NAME` or `group=NAME`, with `by=STEP`, `until=TIME` and `narrow=yes`.
  public init(query: Substring) throws(Fault) {
    guard let values = Self.values(query), let subject = Subject(values) else {
      throw Fault(
        sentence: "Ask for ?counter=NAME, ?counter=NAME,NAME or ?group=NAME, with &by=\(TimeUnit.list).")
    }
    guard let unit = TimeUnit(rawValue: values["by"] ?? "hour") else {
      throw Fault(sentence: "“by” takes \(TimeUnit.list).")
    }
    (self.subject, self.unit) = (subject, unit)
    isNarrow = values["narrow"] != nil
    until = try Self.time("until", values)
  }

  /// A time of a query, in microseconds since 1970; `nil` without one.
  static func time(_ name: String, _ values: [String: String]) throws(Fault) -> Int64? {
    guard let text = values[name] else { return nil }
    guard let time = Int64(text), 1...latest ~= time else {
      throw Fault(sentence: "“\(name)” takes a time in microseconds since 1970.")
    }
    return time
  }

  /// The values of a query by name; `nil` if it is malformed.
  static func values(_ query: Substring) -> [String: String]? {
    var values: [String: String] = [:]
    for pair in query.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let value = decoded(parts[1]) else { return nil }
      values[String(parts[0])] = value
    }
    return values
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

  /// The counters of the chart. Of a group, counters of other units than the first one are left out.
  ///
  /// - Throws: status 404 if there are none or a name is unknown, 422 if there are more than 20 or their units differ in kind.
  public func counters(in state: BoardState) throws(Routes.Refusal) -> [Counters.Counter] {
    let found = try subject.counters(in: state)
    guard found.count <= Self.mostCounters else {
      throw Routes.Refusal(content: .refusal(422, "many", "\(found.count) counters are too many for a picture."))
    }
    guard Unit.common(found.map(\.unit)) != nil else {
      let sentence = "Counters and stopwatches have no chart together. Name those of one kind."
      throw Routes.Refusal(content: .refusal(422, "kinds", sentence))
    }
    return found
  }

  /// The steps of the chart: the usual number for their size, at most 60.
  public func frame(of counters: [Counters.Counter], now: Int64) -> CountSeries.Frame {
    let end = until ?? now
    // A page that ends at the start of a step begins a step earlier.
    let start = end - 1 - unit.usualSpan
    return CountSeries.Frame(unit, from: start, until: end, days: DayStart(of: counters.map(\.period)))
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
    return Chart(picture: plot.text(), table: table(sum, layers, title, unit, statistics))
  }

  private func table(
    _ series: CountSeries, _ layers: [PicturePlot.Layer], _ title: String, _ unit: Unit,
    _ statistics: Counters.StatisticsReply
  ) -> Routes.Content {
    .object(200) { object in
      object.add("title", title)
      object.add("from", series.steps.first?.start)
      object.add("until", series.end)
      object.add("steps", series.steps) { object, step in
        object.add("label", series.unit.label(step.start, in: series.zone, days: series.days))
        object.add("start", step.start)
        object.add("net", step.net)
        object.add("text", unit.text(step.net))
      }
      if layers.count > 1 {
        object.add("layers", layers) { object, layer in
          object.add("title", layer.name)
          object.add("colour", layer.colour)
          object.add("total", layer.series.totalText(unit.text))
          object.add("nets", .array(layer.series.steps.map { .int($0.net) }))
          object.add("texts", .array(layer.series.steps.map { .string(unit.text($0.net)) }))
        }
      }
      object.add("total", series.totalText(unit.text))
      if let first = statistics.first, let last = statistics.last {
        if let rate = series.rate(from: first, to: last) {
          object.add("rate", rate.text)
          object.add("rateTime", rate.time)
        }
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

extension ChartQuery.Subject {
  /// Parses `counter=NAME`, `counter=NAME,NAME` or `group=NAME`; `nil` for none and for both.
  init?(_ values: [String: String]) {
    switch (values["counter"], values["group"]) {
    case (let names?, nil):
      // Further names are not looked up: a chart cannot have more counters.
      self = .counters(names.split(separator: ",").prefix(ChartQuery.mostCounters + 1).map(String.init))
    case (nil, let name?): self = .group(name)
    default: return nil
    }
  }

  /// The counters in the order of the board.
  ///
  /// - Throws: status 404 if there are none or a name is unknown.
  func counters(in state: BoardState) throws(Routes.Refusal) -> [Counters.Counter] {
    func refusal(_ sentence: String) -> Routes.Refusal { .init(content: .refusal(404, "none", sentence)) }
    switch self {
    case .counters(let names):
      let found = state.counters.filter { names.contains($0.name) }
      if let unknown = names.first(where: { name in !found.contains { $0.name == name } }) {
        throw refusal("There is no counter “\(unknown.shortened)”.")
      }
      guard !found.isEmpty else { throw refusal("No counter is named.") }
      return found
    case .group(let name):
      let members = state.counters.filter { $0.group == name && !$0.isArchived }
      guard !members.isEmpty else { throw refusal("There is no counter in a group “\(name.shortened)”.") }
      let unit = Unit.ofChart(members.map(\.unit))
      return members.filter { $0.unit == unit }
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
