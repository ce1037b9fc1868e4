import ArgumentParser
import Varlink

/// `tally note`: notes something about an event.
struct Note: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Note something about an event, whose number tally history --json shows.",
    discussion: """
      An empty text takes the note away.
      Example: tally note 17 "that was the dog"
      """)

  @Argument(help: ArgumentHelp("The number of the event.", valueName: "sequence")) var sequence: Int64
  @Argument(help: "What is to be remembered.") var text: String
  @OptionGroup var options: CommonOptions

  func run() throws {
    let event = try CoreClient(options).change("Note", ["sequence": .int(sequence), "text": .string(text)])
    if options.json { return Output.line(event.json.description) }
    Output.line(text.isEmpty ? "Took the note of event \(sequence) away." : "Noted about event \(sequence).")
  }
}
