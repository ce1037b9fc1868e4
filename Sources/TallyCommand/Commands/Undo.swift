import ArgumentParser
import Varlink

/// `tally undo`: takes back what happened last.
struct Undo: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Take back what happened last; again for what happened before.",
    discussion: """
      Takes back whatever it was, whoever did it, without limit: of one counter, or of all. What was done as one, such as
      the reset of a group, is taken back as one. What only an administrator may do only an administrator takes back.
      Examples:
        tally undo
        tally undo people
      """)

  @Argument(
    help: "One counter, which may have been removed; without a name all.", completion: CounterArgument.completion)
  var name: String?
  @OptionGroup var options: CommonOptions

  func run() throws {
    let core = try CoreClient(options)
    let event = try core.change("Undo", name.map { ["counter": .string($0)] } ?? [:])
    if options.json { return Output.line(event.json.description) }
    let undone = event.object["undoes"]?.int ?? 0
    let page = try core.call("History", ["before": .int(undone &+ 1), "limit": 1])
    let kind = page["events"]?.array?.first?.object?["kind"]?.string
    switch (kind, event.group) {
    case ("created", _): Output.line("\(event.subject) is gone again: its making was the last thing that happened.")
    case ("removed", nil): Output.line("\(event.name) is back, at \(event.count).")
    case ("removed", _): Output.line("\(event.subject) is back.")
    case (let kind?, _) where event.name.isEmpty: Output.line("\(event.subject): \(kind) is undone.")
    default: Output.line(event.sentence)
    }
  }
}
