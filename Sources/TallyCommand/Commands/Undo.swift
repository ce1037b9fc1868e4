import ArgumentParser
import Varlink

/// `tally undo`: takes back what happened last.
struct Undo: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Take back what happened last; again for what happened before.",
    discussion: """
      Takes back a count, the making of a counter or its removal, whoever did it.
      Example: tally undo
      """)

  @OptionGroup var options: CommonOptions

  func run() throws {
    let event = try CoreClient(options).change("Undo", [:])
    Output.line(options.json ? event.json.description : "\(event.value) \(event.name) (\(event.what))")
  }
}
