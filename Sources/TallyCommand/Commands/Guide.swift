import ArgumentParser
import Counting
import Platform
import Varlink

/// `tally guide`: the first counter and the first binding, together with a newcomer.
struct Guide: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make a counter and bind a device to it, question by question.", discussion: "Example: tally guide")

  @OptionGroup var options: CommonOptions

  func run() throws {
    let core = try CoreClient(options)
    let event = try makeCounter(core)
    Output.line("Made “\(event.name)”. Try it: tally add \(event.name)")
    Output.line("")
    Output.line("Known pedals, presenters and touchscreens")
    Output.line("count at once: a press adds one to the")
    Output.line("current counter.")
    guard Programs.has("tally-inputd") else {
      return Output.line("Once tally-inputd is installed, “tally-inputd learn” binds any other key or gesture.")
    }
    guard ask("Bind a key or gesture of your own now? (y/n)")?.lowercased().hasPrefix("y") == true else {
      return Output.line("Whenever you want to: tally-inputd learn")
    }
    do {
      try ServiceProcess.run("tally-inputd", ["learn"])
    } catch {
      // It has said itself what was wrong.
      throw CoreClient.refused
    }
  }

  /// Asks until there is a name that the core takes.
  private func makeCounter(_ core: CoreClient) throws -> EventLine {
    while let answer = ask("What do you count?") {
      guard !answer.isEmpty else { continue }
      var parameters: JSONObject = ["name": .string(answer)]
      if (try? CounterName(answer)) == nil {
        let short = ImportFile.name(answer).lowercased()
        guard let chosen = ask("A short name to type, or Enter for \(short):") else { break }
        parameters = ["name": .string(chosen.isEmpty ? short : chosen), "title": .string(answer)]
      }
      do {
        return try core.change("Create", parameters)
      } catch {
        // Why it was refused was said; a core that is gone takes no other name either.
        guard error == CoreClient.refused else { throw error }
      }
    }
    Output.line("")
    throw CoreClient.refused
  }

  /// The person's answer; `nil` where nobody answers any more.
  private func ask(_ question: String) -> String? {
    Output.write(question + " ")
    guard var answer = readLine()?[...] else { return nil }
    while answer.first?.isWhitespace == true { answer.removeFirst() }
    while answer.last?.isWhitespace == true { answer.removeLast() }
    return String(answer)
  }
}
