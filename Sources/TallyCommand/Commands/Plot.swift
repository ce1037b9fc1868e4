import ArgumentParser
import Platform
import Varlink

/// `tally plot`: a picture of what was counted when.
struct Plot: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Draw what was counted when, as a picture for a report (SVG).",
    discussion: """
      Several counters stand on each other in the colours that they have. Without --by the steps are as long as fits.
      Example: tally plot people -o people.svg
      Example: tally plot kids adults --by hour --from 2026-11-21 -o playground.svg
      """)

  @OptionGroup var choice: CounterChoice
  @Option(
    name: .shortAndLong, help: ArgumentHelp("Where to put the picture; “-” prints it.", valueName: "file"),
    completion: .file())
  var output: String
  @Option(help: "minute, hour, day, week or month.") var by: TimeUnit?
  @Option(parsing: .unconditional, help: "What stands above it; without it the counters' titles.") var title: String?
  @OptionGroup var span: TimeSpan
  @OptionGroup var options: CommonOptions

  func run() throws {
    let core = try CoreClient(options)
    let counters = try choice.counters(core).filter { !$0.isArchived || !choice.names.isEmpty }
    guard !counters.isEmpty else { throw ValidationError("There is no counter to draw.") }
    guard counters.count <= 20 else {
      throw ValidationError("\(counters.count) counters are too many for a picture; name up to 20 of them.")
    }
    let names: [JSON] = counters.map { .string($0.name) }
    // All counters together say what steps there are.
    let frame = try CountSeries(core, ["counters": .array(names)], by, try span.moments(), most: 48)
    let bounds: (Int64?, Int64?) = (frame.steps.first?.start, frame.end)
    let layers = try counters.map { counter in
      let series = try CountSeries(core, ["counter": .string(counter.name)], frame.unit, bounds, most: 2000)
      guard let series = series.scaled(to: frame.format.unit) else {
        throw ValidationError("Times and counts do not go into one picture; name counters or stopwatches only.")
      }
      return PicturePlot.Layer(name: counter.title, colour: counter.colour, series: series)
    }
    let plot = PicturePlot(
      title: title ?? choice.group ?? counters.map(\.title).joined(separator: ", "), layers: layers,
      format: frame.format)
    try OutputFile.write(plot.text(), to: output)
  }
}
