public import ArgumentParser
import Platform
import Suggestions

/// The command line. Each verb is a file of its own under Commands/.
public struct Tally: ParsableCommand {
  public static let configuration = CommandConfiguration(
    commandName: "tally",
    abstract: "Counts that are on disk before you feel the click.",
    discussion: """
      Examples:
        tally new people --title "People at the door"
        tally add people
        tally watch

      Completion of commands and counters: source <(tally --generate-completion-script bash), or zsh, or fish.
      """,
    version: "tally \(Product.version)",
    subcommands: [
      New.self, Add.self, Subtract.self, Show.self, Watch.self, History.self, Undo.self, Redo.self, Reset.self,
      Correct.self, Note.self, Select.self, Next.self, Previous.self, Start.self, Stop.self, Toggle.self, Lap.self,
      SetCommand.self, Rename.self, Move.self, Lock.self, Unlock.self, Archive.self, Remove.self, GroupCommand.self,
      FormulaCommand.self, Totals.self, Plot.self, Report.self, Guide.self, Export.self, Import.self, Share.self,
      Adopt.self, Backup.self, Restore.self, Verify.self, Repair.self, Doctor.self,
    ])

  public init() {}

  /// Runs what `arguments` say; without a verb it shows the counters.
  public static func run(_ arguments: [String]) {
    let arranged = arranged(arguments)
    if let verb = arranged.first, let near = nearest(to: verb) {
      Output.complain("There is no command “\(verb)”. Did you mean “tally \(near)”?")
      exit(withError: ExitCode(64))
    }
    do {
      var command = try parseAsRoot(arranged)
      try command.run()
    } catch let error as ValidationError {
      // Found wrong only while it ran: how the command is written says nothing about it.
      Output.complain(error.message)
      exit(withError: ExitCode(64))
    } catch {
      exit(withError: error)
    }
  }

  /// The verb that was probably meant by one that there is not.
  private static func nearest(to verb: String) -> String? {
    let verbs = ["help"] + configuration.subcommands.map { $0.configuration.commandName ?? "\($0)".lowercased() }
    guard !verb.hasPrefix("-"), !verbs.contains(verb) else { return nil }
    return Suggestion.nearest(to: verb, among: verbs)
  }

  /// The arguments with the verb in front: what every verb takes may also stand before it.
  static func arranged(_ arguments: [String]) -> [String] {
    var common: [String] = []
    var rest = arguments[...]
    while let word = rest.first, word == "--json" || word == "--socket" || word.hasPrefix("--socket=") {
      common += rest.prefix(word == "--socket" ? 2 : 1)
      rest = rest.dropFirst(word == "--socket" ? 2 : 1)
    }
    let verb = rest.popFirst() ?? "show"
    return [verb] + common + (takesAmount.contains(verb) ? amountLast(rest) : Array(rest))
  }

  /// The verbs whose last word is an amount.
  private static let takesAmount: Set<String> = ["add", "subtract", "correct"]

  /// The words with a negative amount behind two dashes, where it is not taken for an option.
  private static func amountLast(_ words: ArraySlice<String>) -> [String] {
    func isAmount(_ word: String) -> Bool { word.hasPrefix("-") && word.dropFirst().first?.isNumber == true }
    guard !words.contains("--"), let place = words.lastIndex(where: isAmount) else { return Array(words) }
    return words[..<place] + words[(place + 1)...] + ["--", words[place]]
  }

  /// The socket that a line names which is still being typed.
  static func socket(in words: [String]) -> String? {
    guard let index = words.lastIndex(where: { $0 == "--socket" || $0.hasPrefix("--socket=") }) else { return nil }
    guard words[index] == "--socket" else { return String(words[index].dropFirst("--socket=".count)) }
    return words.indices.contains(index + 1) ? words[index + 1] : nil
  }
}

/// What every verb takes.
struct CommonOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Ask the core on this socket.", valueName: "path"), completion: .file())
  var socket: String?

  @Flag(help: "Print one JSON object a line.")
  var json = false
}
