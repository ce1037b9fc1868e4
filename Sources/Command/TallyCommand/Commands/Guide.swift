import ArgumentParser
import CoreAPI
import Counting
import JSON
import Varlink

/// `tally guide`: a tour of a minute with a counter of the user's choice.
struct Guide: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Learn to count in a minute: create a counter, press, undo, watch, report, and bind a device.",
    discussion: """
      Presses appear as they arrive; without a device space counts. The counter is real: the tour says how to \
      remove it, and can be repeated with the same one. Ctrl-C stops it at any point; what was counted stays. With --json \
      the events are printed, and the text goes to standard error.
      Example: tally guide
      """)

  @OptionGroup var options: CommonOptions

  func run() throws {
    let core = try CoreClient(options)
    let keyboard = Keyboard()
    let (counter, isNew) = try counter(core, keyboard)
    try GuidedTour(of: counter, isNew: isNew, core, keyboard, options).run()
  }

  /// The name of a new or an existing counter. Asks until the core accepts a name.
  private func counter(_ core: CoreClient, _ keyboard: Keyboard) throws -> (name: String, isNew: Bool) {
    while let answer = ask("What do you count?", keyboard) {
      if answer == "q" {
        say("Nothing was created. The tour again: tally guide")
        Self.exit()
      }
      guard !answer.isEmpty else {
        say("Write a word or two, such as people; q quits.")
        continue
      }
      let counters = try core.call(.list).counters
      if let known = counters.first(where: { $0.name == answer || $0.title == answer }) {
        guard !known.isArchived else {
          say("“\(known.name)” is archived, and would not count: tally archive \(known.name) --back. Name another one.")
          continue
        }
        say("“\(known.name)” exists, at \(CounterLine(known).count): the tour counts on with it.")
        return (known.name, false)
      }
      var request = ChangeRequest.create(answer)
      if (try? CounterName(answer)) == nil {
        let short = CounterName.text(like: answer).lowercased()
        let free = Self.free(short, among: counters.map(\.name))
        guard let chosen = ask("A short name to type, or Enter for \(free):", keyboard) else { break }
        request = .create(chosen.isEmpty ? free : chosen, [.title: .text(answer)])
      }
      do {
        let event = try core.change(request)
        if options.json { Output.line(event.json.description) }
        say("Created “\(event.name)”. To remove it again: tally remove \(event.name)")
        return (event.name, true)
      } catch {
        // The reason was printed. Another name does not help if the core cannot be reached.
        guard error == CoreClient.refused else { throw error }
      }
    }
    say("Nothing was created.")
    throw CoreClient.refused
  }

  /// The name, with a number appended if another counter has the name.
  static func free(_ name: String, among names: [String]) -> String {
    guard names.contains(name) else { return name }
    var number = 2
    while names.contains("\(name)-\(number)") { number += 1 }
    return "\(name)-\(number)"
  }

  private func say(_ text: String) { GuidedTour.say(text, options) }

  /// The user's answer; `nil` at the end of the input.
  private func ask(_ question: String, _ keyboard: Keyboard) -> String? {
    if options.json { Output.remark(question) } else { Output.write(question + " ") }
    guard let answer = keyboard.line() else {
      if !options.json { Output.line("") }
      return nil
    }
    return answer.trimmed
  }
}
