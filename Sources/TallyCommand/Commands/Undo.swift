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
    let core = try CoreClient(options)
    let event = try core.change("Undo", [:])
    if options.json { return Output.line(event.json.description) }
    let undone = event.object["undoes"]?.int ?? 0
    let page = try core.call("History", ["before": .int(undone &+ 1), "limit": 1])
    switch page["events"]?.array?.first?.object?["kind"]?.string {
    case "created": Output.line("\(event.name) is gone again: its making was the last thing that happened.")
    case "removed": Output.line("\(event.name) is back, at \(event.value).")
    default: Output.line("\(event.value) \(event.name) (\(event.what))")
    }
  }
}
