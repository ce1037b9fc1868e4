import ArgumentParser
import Varlink

/// `tally redo`: does again what an undo took back.
struct Redo: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Do again what the last undo took back; again for the one before.",
    discussion: "Example: tally redo")

  @OptionGroup var options: CommonOptions

  func run() throws {
    let event = try CoreClient(options).change("Redo", [:])
    Output.line(options.json ? event.json.description : "\(event.value) \(event.name) (\(event.what))")
  }
}
