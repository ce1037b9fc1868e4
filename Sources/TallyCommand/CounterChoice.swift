import ArgumentParser
import Varlink

/// Which counters a question is about.
struct CounterChoice: ParsableArguments {
  @Argument(help: "The counters; without names all of them.", completion: CounterArgument.completion)
  var names: [String] = []
  @Option(help: ArgumentHelp("The counters of this group.", valueName: "group")) var group: String?

  /// The counters that are meant, as they stand.
  ///
  /// - Throws: after saying so, for a name that no counter bears, and a group without counters.
  func counters(_ core: CoreClient) throws -> [CounterLine] {
    let all = CounterLine.all(of: try core.call("List"))
    guard names.isEmpty else { return try names.map { try core.counter($0, among: all) } }
    guard let group else { return all }
    let found = all.filter { $0.group == group }
    if found.isEmpty { throw ValidationError("There is no counter in a group called “\(group)”.") }
    return found
  }

  /// What a question about the past takes, where counters that were removed are meant by their names as well.
  func parameters(_ core: CoreClient) throws -> JSONObject {
    if !names.isEmpty { return ["counters": .array(names.map(JSON.string))] }
    guard group != nil else { return [:] }
    return ["counters": .array(try counters(core).map { .string($0.name) })]
  }
}
