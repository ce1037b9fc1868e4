import ArgumentParser
import Counting
import Varlink

/// `tally totals`: what was counted hour by hour, or in other steps.
struct Totals: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Add up what was counted by the minute, hour, day, week or month.",
    discussion: """
      Below the steps: the sum, the rate, the busiest hour and the longest time without a count. What was undone is not
      in it; resets and corrections are no counts.
      Example: tally totals people --by hour --from 9:00
      """)

  @OptionGroup var choice: CounterChoice
  @Option(help: "minute, hour, day, week or month.") var by = TimeUnit.hour
  @OptionGroup var span: TimeSpan
  @OptionGroup var options: CommonOptions

  func run() throws {
    let core = try CoreClient(options)
    let which = try choice.parameters(core)
    let series = try CountSeries(core, which, by, try span.moments(), most: 2000)
    guard let first = series.steps.first else { return }
    var parameters = which
    parameters["from"] = .int(first.start)
    parameters["until"] = .int(series.end)
    let statistics = try core.call("Statistics", parameters)
    options.json ? printObjects(series, statistics) : printTable(series, statistics)
  }

  private func printObjects(_ series: CountSeries, _ statistics: JSONObject) {
    for step in series.steps {
      let line: JSON = [
        "start": .string(LocalTime(microseconds: step.start).iso8601), "counts": .int(step.counts),
        "added": .int(step.added), "subtracted": .int(step.subtracted),
      ]
      Output.line(line.description)
    }
    Output.line(JSON.object(["statistics": .object(statistics)]).description)
  }

  private func printTable(_ series: CountSeries, _ statistics: JSONObject) {
    let format = series.format
    let labels = series.steps.map { series.unit.label($0.start, in: series.zone) }
    let values = series.steps.map { format.text($0.net) }
    let (labelWidth, valueWidth) = (labels.map(\.columns).max() ?? 0, values.map(\.columns).max() ?? 0)
    let room = max(4, min(60, Terminal.size.columns - labelWidth - valueWidth - 4))
    let top = series.steps.map(\.net).max() ?? 0
    for (step, (label, value)) in zip(series.steps, zip(labels, values)) {
      let length = top > 0 && step.net > 0 ? max(1, Int(Double(step.net) / Double(top) * Double(room))) : 0
      Output.line(
        label.padded(to: labelWidth) + "  " + Output.styled(value.padded(to: valueWidth, onLeft: true), .bold)
          + (length > 0 ? "  " + Output.styled(String(repeating: "▇", count: length), .up) : ""))
    }
    for line in summary(series, statistics, format) { Output.line(line) }
  }

  /// What stands out, in sentences.
  private func summary(_ series: CountSeries, _ statistics: JSONObject, _ format: ValueText) -> [String] {
    let total = series.steps.reduce(Int64(0)) { $0.addingReportingOverflow($1.net).partialValue }
    guard let first = statistics["first"]?.int, let last = statistics["last"]?.int else {
      return ["Nothing was counted then."]
    }
    var line = "\(format.text(total)) in all"
    if last > first, last - first >= 60_000_000 {
      let perHour = Double(total) / (Double(last - first) / 3_600_000_000)
      // Few things have a tenth as well.
      let isFew = format.unit == .things && abs(perHour) < 10
      let units = (isFew ? perHour * 10 : perHour).rounded()
      let rate = (isFew ? ValueText(unit: .decimal(1)) : format).text(Int64(max(-9e15, min(9e15, units))))
      line += ", \(rate) an hour over \(ValueText.spoken(last - first))"
    }
    var lines = [line + "."]
    if let busiest = statistics["busiest"]?.object, let start = busiest["start"]?.int {
      let net = (busiest["added"]?.int ?? 0).subtractingReportingOverflow(busiest["subtracted"]?.int ?? 0).partialValue
      lines.append("Busiest hour: \(format.text(net)) from \(Self.time(start)).")
    }
    if let gap = statistics["gap"]?.object, let start = gap["start"]?.int, let end = gap["end"]?.int {
      lines.append("Longest time without a count: \(ValueText.spoken(end - start)) from \(Self.time(start)).")
    }
    return lines
  }

  private static func time(_ moment: Int64) -> String {
    let time = LocalTime(microseconds: moment)
    return "\(time.day) \(time.clock.prefix(5))"
  }
}
