import ArgumentParser
import Platform
import Varlink

/// `tally guide`: the first counter and the first binding, together with a newcomer.
struct Guide: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make a counter and bind a device to it, question by question.", discussion: "Example: tally guide")

  @OptionGroup var options: CommonOptions

  func run() throws {
    let core = try CoreClient(options)
    Output.line("A counter has a short name that you type, such as people, and a title that you read.")
    let event = try makeCounter(core)
    Output.line("Made “\(event.name)”. Try it: tally add \(event.name)")
    Output.line("")
    Output.line("Known pedals, presenters and touchscreens count at once: a press adds one to the current counter.")
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
    while let name = ask("What do you count? One word:") {
      guard !name.isEmpty else { continue }
      let title = ask("Its title, or just Enter:") ?? ""
      var parameters: JSONObject = ["name": .string(name)]
      if !title.isEmpty { parameters["title"] = .string(title) }
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
    return readLine().map { String($0.trimmingPrefix(while: \.isWhitespace)) }
  }
}
