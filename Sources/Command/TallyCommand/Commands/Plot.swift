import ArgumentParser
import CoreAPI
import Counting
import JSON
import Linux
import Reports

/// `tally plot`: draws a chart of the counts over time.
struct Plot: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Draw a chart of the counts over time as an SVG picture.",
    discussion: """
      The bars of several counters are stacked, in the counters' colours. Without --by the steps are chosen to fit. \
      Counters of another unit than the first one, such as stopwatches, are left out unless they are named. Of formulas the value at the end of each step \
      is drawn, as a line.
      Example: tally plot people -o people.svg
      Example: tally plot kids adults --by hour --from 2026-11-21 -o playground.svg
      """)

  @OptionGroup var choice: CounterChoice
  @OptionGroup var destination: OutputOptions
  @Option(help: ArgumentHelp("The steps: \(TimeUnit.list).", valueName: "step")) var by: TimeUnit?
  @Option(parsing: .unconditional, help: "The heading; default: the counters' titles.") var title: String?
  @OptionGroup var span: TimeSpan
  @Flag(help: "Only the counts of this station, not of others in a fleet.") var own = false
  @OptionGroup var options: CommonOptions

  func run() throws {
    let core = try CoreClient(options)
    let list = try core.call(choice.request)
    let formulas = list.formulas.filter { choice.names.contains($0.name) }
    guard formulas.isEmpty else { return try draw(formulas, core) }
    var counters = try choice.unarchived(core, of: list)
    // Numbers of different units have no sum.
    let unit = Unit.ofChart(counters.map(\.unit))
    let others = choice.names.isEmpty ? counters.filter { $0.unit != unit }.map(\.name) : []
    if choice.names.isEmpty { counters.removeAll { $0.unit != unit } }
    guard !counters.isEmpty else { throw ValidationError("There is no counter to draw.") }
    guard counters.count <= 20 else {
      throw ValidationError("\(counters.count) counters are too many for a picture; name up to 20 of them.")
    }
    // The steps follow from all counters together.
    let span = try span.moments(core, choice)
    var frame = try CountSeries(core, counters.map(\.name), by, span, most: 48, isOwn: own)
    if span.from == nil { frame.dropLeadingZeros() }
    let bounds: (Int64?, Int64?) = (frame.steps.first?.start, frame.end)
    let layers = try counters.map { counter in
      let series = try CountSeries(core, [counter.name], frame.unit, bounds, most: 2000, isOwn: own, days: frame.days)
      guard let series = series.scaled(to: frame.format.unit) else {
        throw ValidationError("A picture cannot show counters and stopwatches together; name only one kind.")
      }
      return PicturePlot.Layer(name: counter.title, colour: counter.colour, series: series)
    }
    let plot = PicturePlot(
      title: try title ?? choice.group.map { try core.title(ofGroup: $0) }
        ?? counters.map(\.title).joined(separator: ", "), layers: layers,
      format: frame.format)
    try write(plot)
    if !others.isEmpty {
      Output.remark(
        "Left out (other units): \(others.joined(separator: ", ")). To plot them: "
          + "tally plot \(others.joined(separator: " ")) -o FILE")
    }
  }

  /// Draws the values of formulas over time.
  private func draw(_ formulas: [Counters.Formula], _ core: CoreClient) throws {
    let kinds = Set(formulas.map(\.display))
    guard formulas.count == Set(choice.names).count, kinds.count == 1, formulas.count <= 20 else {
      throw ValidationError(
        "A picture shows either counts, or values of up to 20 formulas in one format; name only these.")
    }
    let span = try span.moments(core, choice)
    let all = try formulas.map { try FormulaSeries(core, $0, by, span, most: 48) }
    let empty = span.from == nil ? all.map { $0.points.count - $0.shown.count }.min() ?? 0 : 0
    let layers = zip(formulas, all).map { formula, values in
      var series = values.series
      series.steps.removeFirst(min(empty, series.steps.count))
      return PicturePlot.Layer(name: formula.title, colour: formula.colour, series: series)
    }
    try write(
      PicturePlot(
        title: title ?? formulas.map(\.title).joined(separator: ", "), layers: layers,
        format: FormulaSeries.format(formulas[0].display), isOfValues: true))
  }

  private func write(_ plot: PicturePlot) throws {
    try destination.file().write(plot.text())
    if options.json, let path = destination.path { Output.line(JSON.object(["file": .string(path)]).description) }
  }
}
