public import ArgumentParser
import Calendars
import Glibc
import JSON
import Tallymark
import Text

/// The command line. Each command has a file under Commands/.
public struct Tally: ParsableCommand {
  public static let configuration = CommandConfiguration(
    commandName: "tally",
    abstract: "Counts that are on disk before you feel the click.",
    discussion: """
      Examples:
        tally new people --title "People at the door"
        tally add people
        tally + 3  (3 more of the current counter)
        tally watch

      Completion of commands and counters: source <(tally --generate-completion-script bash), or zsh, or fish.
      """,
    version: "tally \(Product.version)",
    subcommands: [
      New.self, Add.self, Subtract.self, Show.self, Watch.self, History.self, Undo.self, Redo.self, Reset.self,
      Correct.self, Note.self, Select.self, Next.self, Previous.self, Start.self, Stop.self, Toggle.self, Lap.self,
      SetCommand.self, Rename.self, Move.self, Lock.self, Unlock.self, Archive.self, Remove.self, GroupCommand.self,
      FormulaCommand.self, Totals.self, Plot.self, Report.self, MetricsCommand.self, Guide.self, Export.self,
      Import.self, Share.self, Adopt.self, FleetCommand.self, Backup.self, Restore.self, Verify.self, Repair.self,
      Doctor.self,
    ])

  public init() {}

  /// Runs the command in `arguments`; the default is `show`.
  public static func run(_ arguments: [String]) {
    reserveStandardDescriptors()
    let arranged = arranged(arguments)
    if arranged.first == "" {
      Output.complain("The command is empty. “tally help” lists the commands.")
      exit(withError: ExitCode(64))
    }
    if let verb = wordOfCommand(arranged), isUnknown(verb) {
      let near = synonyms[verb] ?? Suggestion.nearest(to: verb, among: verbs)
      let advice =
        isNumber(verb)
        ? "To add that much to the current counter: tally add \(verb)"
        : near.map { "Did you mean “tally \($0)”?" }
          ?? "If it is a counter: tally add \(verb), or tally show \(verb). “tally help” lists the commands."
      Output.complain("There is no command “\(verb)”. \(advice)")
      exit(withError: ExitCode(64))
    }
    if let word = unknownWordOfFleet(arranged) {
      let near = Suggestion.nearest(to: word, among: FleetCommand.verbs)
      let advice = near.map { "Did you mean “tally fleet \($0)”?" } ?? "“tally help fleet” lists the commands."
      Output.complain("There is no command “fleet \(word)”. \(advice)")
      exit(withError: ExitCode(64))
    }
    if let option = timeWithoutQuotes(arranged) {
      Output.complain("A day and a time of day belong in quotes: \(option)")
      exit(withError: ExitCode(64))
    }
    do {
      var command = try parseAsRoot(arranged)
      if let option = repeatedOption(arranged, of: command) {
        throw ValidationError("\(option) is given twice, and takes one value.")
      }
      try command.run()
    } catch let error as ValidationError {
      // An error found while running; the usage would not help.
      Output.complain(error.message)
      exit(withError: ExitCode(64))
    } catch {
      let code = exitCode(for: error)
      guard !code.isSuccess else { exit(withError: error) }
      // The message quotes arguments, which a script may have from anywhere.
      let message = fullMessage(for: error)
      if !message.isEmpty { Output.complain(UsageText.sentence(message, arranged)) }
      exit(withError: code)
    }
  }

  /// The option whose day is followed by a time of day, with both in quotes; the parser would take the time of day for an
  /// amount or a name.
  private static func timeWithoutQuotes(_ arranged: [String]) -> String? {
    let words = arranged.prefix { $0 != "--" }.flatMap { word in
      word.hasPrefix("--") ? word.split(separator: "=", maxSplits: 1).map(String.init) : [word]
    }
    return zip(words, zip(words.dropFirst(), words.dropFirst(2))).first { option, time in
      ["--at", "--from", "--until"].contains(option) && TimeText.isDay(time.0) && TimeText.secondOfDay(time.1) != nil
    }.map { option, time in "\(option) \"\(time.0) \(time.1)\"" }
  }

  /// An option that is given more than once although it has one value, because the parser would use the last one.
  private static func repeatedOption(_ arguments: [String], of command: any ParsableCommand) -> String? {
    var rest = arguments.prefix { $0 != "--" }
    guard rest.count(where: { $0.hasPrefix("-") }) > 1 else { return nil }
    let known = OptionNames.all(of: type(of: command))
    var given: Set<[String]> = []
    while let word = rest.popFirst() {
      let parts = word.split(separator: "=", maxSplits: 1)
      guard let name = parts.first.map(String.init), let option = known.first(where: { $0.names.contains(name) }) else {
        continue
      }
      if !given.insert(option.names).inserted, !option.isRepeating { return name }
      // A value may look like an option.
      if parts.count == 1 { rest = rest.dropFirst() }
    }
    return nil
  }

  /// Opens a descriptor in place of each closed standard descriptor, so that a socket does not get its number and
  /// receive the output. Writing to the replacement fails.
  private static func reserveStandardDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
      _ = unsafe open("/dev/null", O_RDONLY)
    }
  }

  /// The words of this process's command line, the command first; for advice about it.
  static let words = arranged(Array(CommandLine.arguments.dropFirst()))

  private static let verbs =
    ["help"] + configuration.subcommands.map { $0.configuration.commandName ?? "\($0)".lowercased() }

  /// Other programs' words for the same commands.
  private static let synonyms = [
    "count": "add", "plus": "add", "inc": "add", "increment": "add", "up": "add", "minus": "subtract",
    "dec": "subtract", "decrement": "subtract", "down": "subtract", "create": "new", "make": "new", "list": "show",
    "ls": "show", "rm": "remove", "delete": "remove", "mv": "rename", "log": "history", "edit": "set", "config": "set",
    "zero": "reset", "clear": "reset", "use": "select", "tutorial": "guide", "learn": "guide", "mail": "report",
    "stats": "totals", "chart": "plot", "check": "doctor", "live": "watch", "tail": "watch", "counters": "show",
    "groups": "group", "formulas": "formula", "pause": "stop", "resume": "start", "version": "--version",
    "unarchive": "archive --back",
  ]

  /// The word of a command line that must be a command: the first one, or that after `help`.
  private static func wordOfCommand(_ arranged: [String]) -> String? {
    arranged.first == "help" && arranged.count > 1 ? arranged[1] : arranged.first
  }

  private static func isUnknown(_ verb: String) -> Bool { !verb.hasPrefix("-") && !verbs.contains(verb) }

  /// The word in the place of a command of `fleet`, if `fleet` has no such command.
  static func unknownWordOfFleet(_ arranged: [String]) -> String? {
    guard arranged.first == "fleet" else { return nil }
    var rest = arranged.dropFirst()
    while let word = rest.first, word.hasPrefix("--json") || word.hasPrefix("--socket") {
      rest = rest.dropFirst(word == "--socket" ? 2 : 1)
    }
    guard let word = rest.first, !word.hasPrefix("-"), word != "help" else { return nil }
    return FleetCommand.verbs.contains(word) ? nil : word
  }

  /// Whether a word can only be an amount, because it has digits and no letter.
  static func isNumber(_ word: String) -> Bool {
    word.contains(where: \.isNumber) && !word.contains(where: \.isLetter)
  }

  /// The arguments with the command first: common options may also stand before it.
  static func arranged(_ arguments: [String]) -> [String] {
    var common: [String] = []
    var rest = arguments[...]
    while let word = rest.first, word == "--json" || word == "--socket" || word.hasPrefix("--socket=") {
      common += rest.prefix(word == "--socket" ? 2 : 1)
      rest = rest.dropFirst(word == "--socket" ? 2 : 1)
    }
    if let word = rest.first, shownWith.contains(String(word.prefix { $0 != "=" })) { rest = ["show"] + rest }
    let (verb, amount) = meaning(of: rest.popFirst() ?? "show")
    rest = (amount.map { [$0] } ?? []) + rest
    if verb == "formula" { return [verb] + common + formulaLast(rest) }
    if verb == "import" { return [verb] + common + columnsJoined(rest) }
    return [verb] + common + (takesAmount.contains(verb) ? amountLast(rest) : Array(rest))
  }

  /// The options of `show` that are valid without the word `show`.
  private static let shownWith: Set<String> = ["--tag", "--archived", "--group", "--at"]

  /// The command for a short form, and its amount: `+`, `-`, `+5`, `-5`, `status`.
  private static func meaning(of word: String) -> (verb: String, amount: String?) {
    let isAmount = word.dropFirst().allSatisfy { $0.isNumber || [".", ",", ":"].contains($0) }
    let amount = word.count > 1 ? String(word.dropFirst()) : nil
    switch word.first {
    case "+" where isAmount: return ("add", amount)
    case "-" where isAmount, "−" where isAmount: return ("subtract", amount)
    default: return (word == "status" ? "show" : word, nil)
    }
  }

  /// The commands whose last argument is an amount.
  private static let takesAmount: Set<String> = ["add", "subtract", "correct"]

  /// Inserts “--” before a negative amount, so that it is not parsed as an option.
  private static func amountLast(_ words: ArraySlice<String>) -> [String] {
    func isAmount(_ place: Int) -> Bool {
      // The word after `--at` is the value of that option.
      guard place == words.startIndex || words[place - 1] != "--at" else { return false }
      return words[place].hasPrefix("-") && words[place].dropFirst().first?.isNumber == true
    }
    guard !words.contains("--"), let place = words.indices.last(where: isAmount) else { return Array(words) }
    return words[..<place] + words[(place + 1)...] + ["--", words[place]]
  }

  /// Joins `--column` with a value that begins with a minus, so that it is not parsed as an option.
  private static func columnsJoined(_ words: ArraySlice<String>) -> [String] {
    words.reduce(into: []) { joined, word in
      if joined.last == "--column", word.hasPrefix("-=") {
        joined[joined.count - 1] += "=" + word
      } else {
        joined.append(word)
      }
    }
  }

  /// Inserts “--” between the options and the formula if the formula begins with a minus or contains a word that does.
  private static func formulaLast(_ words: ArraySlice<String>) -> [String] {
    func isNegative(_ word: String) -> Bool { word.count > 1 && word.hasPrefix("-") && !word.hasPrefix("--") }
    guard let start = words.firstIndex(where: { $0.contains("=") && !$0.hasPrefix("-") }), !words.contains("--"),
      words[start...].contains(where: { isNegative($0) && $0 != "-h" })
    else { return Array(words) }
    var (options, formula): ([String], [String]) = ([], [])
    var rest = words
    while let word = rest.popFirst() {
      guard word.hasPrefix("--") else {
        formula.append(word)
        continue
      }
      options.append(word)
      if ["--as", "--title", "--socket"].contains(word), let value = rest.popFirst() { options.append(value) }
    }
    return options + ["--"] + formula
  }

  /// The socket in a line that is being completed.
  static func socket(in words: [String]) -> String? {
    guard let index = words.lastIndex(where: { $0 == "--socket" || $0.hasPrefix("--socket=") }) else { return nil }
    guard words[index] == "--socket" else { return String(words[index].dropFirst("--socket=".count)) }
    return words.indices.contains(index + 1) ? words[index + 1] : nil
  }
}

/// The names of an option that has a value.
private struct OptionNames {
  /// With their dashes: `-o`, `--output`.
  let names: [String]
  let isRepeating: Bool

  /// The options of a command, from the parser's description of it.
  static func all(of command: any ParsableCommand.Type) -> [OptionNames] {
    let description = try? JSON(parsing: command._dumpHelp())
    return (description?.object?["command"]?.object?["arguments"]?.array ?? []).compactMap { argument in
      guard let argument = argument.object, argument["kind"]?.string == "option" else { return nil }
      let names = (argument["names"]?.array ?? []).compactMap { name in
        name.object?["name"]?.string.map { (name.object?["kind"]?.string == "long" ? "--" : "-") + $0 }
      }
      return OptionNames(names: names, isRepeating: argument["isRepeating"]?.bool ?? false)
    }
  }
}

/// The options of all commands.
struct CommonOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The socket of the core.", valueName: "path"), completion: .file())
  var socket: String?

  @Flag(help: "Print one JSON object a line; times are ISO 8601 with the UTC offset.")
  var json = false
}
