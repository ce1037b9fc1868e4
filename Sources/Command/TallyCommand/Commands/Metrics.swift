import ArgumentParser
import CoreAPI
import Linux
import Reports

/// `tally metrics`: writes the values in Prometheus' format.
struct MetricsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "metrics",
    abstract: "Print the values of all counters and formulas in the text format of Prometheus.",
    discussion: """
      The board serves the same text at /metrics. Without a board, the textfile collector of Prometheus' node exporter reads \
      it from a file; -o replaces that file in one step. Without a core that answers within two seconds it says \
      tallymark_up 0 and nothing else, and ends with code 69.
      Examples:
        tally metrics -o /var/lib/prometheus/node-exporter/tallymark.prom --force
      """)

  @OptionGroup var destination: OutputOptions
  @OptionGroup var options: CommonOptions

  func validate() throws {
    if options.json { throw ValidationError("Metrics have one format. For JSON: tally export --json.") }
  }

  func run() throws {
    // A file with the values of a core that has ended or hangs would look current for ever.
    let running = CoreClient.ifRunning(options)
    let answers = running?.answers ?? false
    if !answers { try write(Exposition().text) }
    if running != nil, !answers {
      Output.complain("The core does not answer. “tally doctor” finds out what is wrong.")
      throw CoreClient.unavailable
    }
    let core = try CoreClient(options)
    let (list, history) = (try core.call(.list), try core.call(.history(limit: 1)))
    try write(
      Exposition(
        list.counters, list.formulas, lastEvent: history.events.first?.sequence ?? 0, now: Clock.microsecondsSince1970()
      ).text)
  }

  private func write(_ text: String) throws {
    try (destination.output == nil ? OutputFile("-", replaces: false) : destination.file()).write(text)
  }
}
