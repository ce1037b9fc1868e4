import ArgumentParser
import CoreAPI

/// `tally note`: sets the note about an event.
struct Note: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Add a note on an event; tally history shows its number.",
    discussion: """
      An empty text removes the note.
      Example: tally note 17 "that was the dog"
      """)

  @Argument(help: ArgumentHelp("The number of the event, which tally history shows.", valueName: "number"))
  var number: String
  @Argument(help: "The text of the note.") var text: String
  @OptionGroup var options: CommonOptions

  func run() throws {
    guard let sequence = Int64(number) else {
      throw ValidationError("“\(number)” is not an event number. tally history lists them.")
    }
    try options.change(.note(sequence: sequence, text: text)) { event in
      switch event.noteTexts {
      case (nil, nil): "There is no note on event \(sequence)."
      case (nil, _): "Added a note on event \(sequence)."
      case (_, nil): "Removed the note on event \(sequence)."
      case (let before, let after):
        before == after ? "The note on event \(sequence) is that already." : "Changed the note on event \(sequence)."
      }
    }
  }
}
