import ArgumentParser
import Counting
import JSON
import Journal
import Linux
import Reports

/// `tally repair`: recovers a damaged journal.
struct Repair: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Recover a damaged journal into a new folder, and list what was lost.",
    discussion: """
      The damaged journal is only read. tallyd must not be running on it. Exits with 1 if anything was lost.
      Example: tally repair ~/.local/state/tallymark ~/tallymark-repaired
      """)

  @Argument(help: "The folder of the damaged journal.", completion: .directory) var damaged: String
  @Argument(help: "The folder to create for the new journal.", completion: .directory) var new: String

  @Flag(help: "Print one JSON object a line.") var json = false

  func run() throws {
    try Journal.explaining {
      let repair = try JournalRepair(damaged, into: new)
      if json { return try printObject(repair) }
      let saved = repair.saved.filter { $0.count > 0 }.map(\.text)
      Output.line("Saved: \(saved.isEmpty ? "nothing" : saved.joined(separator: ", ")).")
      for counter in try CounterStore(folder: new).load().all {
        Output.line("  \(ValueText(unit: counter.unit).text(counter.value))  \(counter.name.text)")
      }
      for loss in repair.losses { Output.line(loss) }
      Output.line(repair.losses.isEmpty ? "Nothing is known to be lost." : "All else that could be read was saved.")
      Output.line("To count with it: mv \(damaged) \(damaged).damaged && mv \(new) \(damaged), then start tallyd.")
      guard repair.losses.isEmpty else { throw CoreClient.refused }
    }
  }

  private func printObject(_ repair: JournalRepair) throws {
    var saved: JSONObject = [:]
    for part in repair.saved { saved[part.words.many] = .int(Int64(part.count)) }
    let losses = repair.losses.map(JSON.string)
    let object: JSON = ["folder": .string(new), "saved": .object(saved), "losses": .array(losses)]
    Output.line(object.description)
    guard losses.isEmpty else { throw CoreClient.refused }
  }
}
