import ArgumentParser
import CoreAPI
import Counting
import JSON
import Linux
import Reports
import Text

/// `tally totals`: shows sums of counts by hour or other steps.
struct Totals: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show sums of counts by hour, or by other steps from a minute to a year.",
    discussion: """
      The steps are those of the last 60 minutes, 24 hours, 14 days, 12 weeks, 12 months or 10 years, or the last 48 \
      of some minutes. With --from they begin at the first count after it, and with --csv or --json at the first of \
      all; at most the last 2,000 steps are counted. A time within a step cuts it, which its row says.

      The steps are followed by the sum, the average if the counts cover ten minutes, the busiest hour (of those that \
      begin at a quarter; imported days have none) and the longest time without a count. Undone counts, resets and corrections are not \
      included. The average is one per hour between the first and the last count. If these are two days apart, or on \
      two days and the steps are a day or longer, it is one per day, for all days from the first to the last; if they \
      are in several steps of a week or longer, and nearly a step apart, it is one per step. Counters with different decimals have separate sums. A \
      stopwatch shows the time for which it ran in each step. A formula shows its value at the end of each step, and \
      the change; a counter in it whose periods are shorter than the step has the sum of the step there, and no target.

      Longer steps than an hour, and a day without a time after --from and --until, begin at the time of day at which \
      the periods of the counters begin if it is the same for all; otherwise at midnight. For a shared counter of a \
      fleet the counts of all stations are summed, those of others by the quarter hour; --own leaves the others out.

      With --csv each row is a step, and each counter has a column; times of stopwatches are seconds. With --json each \
      line names the counters of its sum.

      Example: tally totals cars trucks --by 15min --from 7:00 --until 9:00
      Example: tally totals --group venue --by day --csv > days.csv
      """)

  @OptionGroup var choice: CounterChoice
  @Option(help: ArgumentHelp("The steps: \(TimeUnit.list).", valueName: "step")) var by = TimeUnit.hour
  @OptionGroup var span: TimeSpan
  @Flag(help: "Only the counts of this station, not of others in a fleet.") var own = false
  @Flag(help: "Write CSV: a row for each step, a column for each counter.") var csv = false
  @Flag(help: "Do not page long output.") var noPager = false
  @OptionGroup var options: CommonOptions

  func validate() throws {
    if csv, options.json { throw ValidationError("Use either --csv or --json.") }
  }

  func run() throws {
    let core = try CoreClient(options)
    if csv { return StandardOutput.write(try table(core).map { CSV.line($0) + "\r\n" }.joined()) }
    var choice = choice
    let list = try core.call(.list)
    let formulas = list.formulas.filter { choice.names.contains($0.name) }
    choice.names.removeAll { name in formulas.contains { $0.name == name } }
    let isOfFormulas = choice.names.isEmpty && !formulas.isEmpty
    let lines = try isOfFormulas ? [] : sums(core, choice, list.counters)
    if !isOfFormulas { choice.remarkArchived(list.counters) }
    Pager.show(try lines + values(core, formulas, isFirst: lines.isEmpty), isAllowed: !noPager && !options.json)
  }

  /// The maximum number of totals in one reply of the core.
  private static let mostTotals = 20_000

  /// The sums of each counter in each step, with a header.
  private func table(_ core: CoreClient) throws -> [[String]] {
    let list = try core.call(.list)
    if let formula = list.formulas.first(where: { choice.names.contains($0.name) }) {
      throw ValidationError(
        "\(formula.name) is a formula, and --csv has sums of counts. Its values: tally totals \(formula.name) --json")
    }
    let names = try choice.namesOfSum(core, of: list.counters) ?? []
    choice.remarkArchived(list.counters)
    let frame = try CountSeries.frame(
      core, names, by, span.moments(core, choice), most: 2000, isOwn: own, isWhole: true)
    let starts = frame.bounds.dropLast()
    var (columns, head) = ([[String]](), ["start"])
    var first = starts.endIndex - 1
    let size = max(1, Self.mostTotals / max(1, starts.count))
    for part in stride(from: 0, to: names.count, by: size).map({ names[$0..<min($0 + size, names.count)] }) {
      for counter in try core.call(
        .totals(counters: Array(part), bounds: frame.bounds, each: true, own: own ? true : nil)
      ).counters {
        head.append(counter.name)
        first = min(first, counter.totals.firstIndex { $0.counts != 0 || $0.net != 0 } ?? first)
        columns.append(counter.totals.map { CSV.number($0.net, counter.unit) })
      }
    }
    return [head]
      + starts.indices.dropFirst(max(0, first)).map { step in
        [LocalTime(microseconds: starts[step]).iso8601] + columns.map { $0.indices.contains(step) ? $0[step] : "" }
      }
  }

  /// The values of formulas at the ends of the steps.
  private func values(_ core: CoreClient, _ formulas: [Counters.Formula], isFirst: Bool) throws -> [String] {
    try formulas.enumerated().flatMap { index, formula -> [String] in
      var choice = choice
      choice.names = [formula.name]
      let series = try FormulaSeries(core, formula, by, span.moments(core, choice), most: 2000)
      guard options.json else {
        let head = "\(formula.name) = \(formula.formula.printableLine), \(series.moments)"
        return (isFirst && index == 0 ? [] : [""]) + [head] + series.table()
      }
      return series.shown.map { point in
        var line: JSONObject = [
          "formula": .string(formula.name), "start": .string(LocalTime(microseconds: point.start).iso8601),
        ]
        line["value"] = point.value.map(JSON.string)
        line["text"] = point.text.map(JSON.string)
        line["changeText"] = point.change.map { .string(series.format.plain($0)) }
        return JSON.object(line).description
      }
    }
  }

  private func sums(
    _ core: CoreClient, _ choice: CounterChoice, _ counters: [Counters.Counter]
  ) throws -> [String] {
    let moments = try span.moments(core, choice)
    let frame = try CountSeries.frame(
      core, choice.namesOfSum(core, of: counters), by, moments, most: 2000, isOwn: own, isWhole: options.json)
    return try choice.partsOfSum(core, of: counters).enumerated().flatMap { index, part in
      let head = (index > 0 ? [""] : []) + (part.title.map { [$0] } ?? [])
      return try (options.json ? [] : head) + sums(core, part.names, frame, moments)
    }
  }

  private func sums(
    _ core: CoreClient, _ counters: [String]?, _ frame: CountSeries.Frame, _ moments: (from: Int64?, until: Int64?)
  ) throws -> [String] {
    let (from, until) = moments
    let reply = try core.call(.totals(counters: counters, bounds: frame.bounds, own: own ? true : nil))
    var series = CountSeries(frame, reply.totals, in: reply.unit)
    guard let first = series.steps.first else { return [] }
    // The step that contains a future time may also contain past counts.
    let future = from.flatMap { $0 > Clock.microsecondsSince1970() ? $0 : nil }
    let statistics = try core.call(
      .statistics(counters: counters, from: future ?? first.start, until: series.end, own: own ? true : nil))
    if future != nil || statistics.first == nil { series.steps = [] }
    series.dropLeadingZeros()
    if options.json { return objects(of: counters, series, statistics) }
    let begin = from ?? 0
    let earlier = begin < first.start ? try sum(core, counters, from: begin, until: first.start) : 0
    let before = series.format.text(earlier)
    guard series.steps.isEmpty else {
      let sum =
        "\(series.totalText) \(earlier == 0 ? "in all" : "since \(LocalTime.minute(first.start)), \(before) before")"
      // The core has statistics of whole quarter hours only.
      let isOfQuarters = Self.isOfQuarters(first.start) && Self.isOfQuarters(series.end)
      return table(series, isOfQuarters ? statistics : nil, sum)
    }
    let end = until.map { "to \(LocalTime.minute($0))" } ?? "on"
    return [
      "Nothing was counted from \(LocalTime.minute(max(begin, first.start))) \(end)\(earlier == 0 ? "" : "; before, \(before)")."
    ]
  }

  /// The sum of the counts in a time.
  private func sum(_ core: CoreClient, _ counters: [String]?, from begin: Int64, until end: Int64) throws -> Int64 {
    try core.call(.totals(counters: counters, bounds: [begin, end], own: own ? true : nil)).totals.first?.net ?? 0
  }

  private func objects(
    of counters: [String]?, _ series: CountSeries, _ statistics: Counters.StatisticsReply
  ) -> [String] {
    let unit = series.format.unit
    let names = JSON.array((counters ?? []).map(JSON.string))
    let lines = series.steps.map { step in
      typealias Member = Counters.Total.Member
      var line: JSONObject = ["counters": names]
      line[Member.start] = .string(LocalTime(microseconds: step.start).iso8601)
      line[Member.counts] = .int(step.counts)
      line[Member.added] = .int(step.added)
      line[Member.subtracted] = .int(step.subtracted)
      if Int128(step.net) != Int128(step.added) - Int128(step.subtracted) { line[Member.difference] = .int(step.net) }
      switch unit {
      case .time: line[Counters.TotalsReply.Member.stopwatches] = true
      case .decimal(let decimals): if decimals > 0 { line[Counters.TotalsReply.Member.decimals] = .int(decimals) }
      }
      return Self.withTexts(line, unit).description
    }
    var object = statistics.object.spellingTimes("first", "last")
    if let gap = object["gap"]?.object { object["gap"] = .object(gap.spellingTimes("start", "end")) }
    for part in [Counters.StatisticsReply.Member.total, .busiest] {
      if let total = object[part]?.object { object[part] = .object(Self.withTexts(total, unit)) }
    }
    return lines + [JSON.object(["counters": names, "statistics": .object(object)]).description]
  }

  /// A total with its sums in their unit, unless they are whole numbers.
  private static func withTexts(_ total: JSONObject, _ unit: Unit) -> JSONObject {
    var total = total.spellingTimes("start")
    for name in unit == .things ? [] : ["added", "subtracted"] {
      if let sum = total[name]?.int { total["\(name)Text"] = .string(unit.text(sum)) }
    }
    return total
  }

  private func table(_ series: CountSeries, _ statistics: Counters.StatisticsReply?, _ sum: String) -> [String] {
    let format = series.format
    let labels = series.labels
    let values = series.steps.map { format.text($0.net) }
    let (labelWidth, valueWidth) = (labels.map(\.columns).max() ?? 0, values.map(\.columns).max() ?? 0)
    let room = max(4, min(60, Terminal.size.columns - labelWidth - valueWidth - 4))
    let top = series.steps.map(\.net).max() ?? 0
    let rows = zip(series.steps, zip(labels, values)).map { step, texts in
      let (label, value) = texts
      let length = top > 0 && step.net > 0 ? max(1, Int(Double(step.net) / Double(top) * Double(room))) : 0
      return label.padded(to: labelWidth) + "  " + Output.styled(value.padded(to: valueWidth, onLeft: true), .bold)
        + (length > 0 ? "  " + Output.styled(String(repeating: "▇", count: length), .up) : "")
    }
    return rows + (statistics.map { summary(series, $0, sum) } ?? [sum + "."])
  }

  /// The statistics, as sentences.
  private func summary(_ series: CountSeries, _ statistics: Counters.StatisticsReply, _ sum: String) -> [String] {
    guard let first = statistics.first, let last = statistics.last else { return [] }
    let format = series.format
    var line = sum
    if let rate = series.rate(from: first, to: last) {
      line += ", \(rate.text) over \(rate.time)"
    }
    var lines = [line + "."]
    if let busiest = statistics.busiest {
      lines.append("Busiest hour: \(format.text(busiest.net)) from \(LocalTime.minute(busiest.start)).")
    }
    if let gap = statistics.gap, gap.end - gap.start >= 1_000_000 {
      lines.append(
        "Longest time without a \(format.unit == .time ? "run" : "count"): \(ValueText.spoken(gap.end - gap.start)) from \(LocalTime.minute(gap.start))."
      )
    }
    return lines
  }

  /// Whether a time is the start of a quarter hour, or has not come.
  private static func isOfQuarters(_ time: Int64) -> Bool {
    time.isMultiple(of: 900_000_000) || time >= Clock.microsecondsSince1970()
  }
}
