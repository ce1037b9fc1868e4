import ArgumentParser
import CountersAPI

/// `tally note`: sets the note about an event.
struct Note: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Add a note to an event; tally history shows its number.",
    discussion: """
      An empty text removes the note.
      Example: tally note 17 "that was the dog"
      """)

  @Argument(help: ArgumentHelp("The number of the event, which tally history shows.", valueName: "number"))
  var sequence: Int64
  @Argument(help: "The text of the note.") var text: String
  @OptionGroup var options: CommonOptions

  func run() throws {
    try options.change(.note(sequence, text)) { _ in
      text.isEmpty ? "Removed the note about event \(sequence)." : "Added a note to event \(sequence)."
    }
  }
}
