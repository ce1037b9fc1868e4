import ArgumentParser
import CounterStore
import Counting
import Platform

/// `tally repair`: saves what can be saved of a damaged journal.
struct Repair: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Save what can be read of a damaged journal into a new folder, and say what could not.",
    discussion: """
      The damaged journal is only read. tallyd must not be running on it. Exits with 1 if anything was lost.
      Example: tally repair ~/.local/state/tallymark ~/tallymark-repaired
      """)

  @Argument(help: "The folder of the damaged journal.", completion: .directory) var damaged: String
  @Argument(help: "The folder to be made for the new one.", completion: .directory) var new: String

  func run() throws {
    try Journal.explaining {
      let repair = try JournalRepair(damaged, into: new)
      Output.line("Saved: " + repair.saved.map { "\($0.count) \($0.what)" }.joined(separator: ", ") + ".")
      for counter in try CounterStore(folder: new).load().all {
        Output.line("  \(counter.unit.text(counter.value))  \(counter.name.text)")
      }
      for loss in repair.losses { Output.line(loss) }
      Output.line(repair.losses.isEmpty ? "Nothing is known to be lost." : "Everything else was saved.")
      Output.line("To count with it: mv \(damaged) \(damaged).damaged && mv \(new) \(damaged), then start tallyd.")
      guard repair.losses.isEmpty else { throw CoreClient.refused }
    }
  }
}
