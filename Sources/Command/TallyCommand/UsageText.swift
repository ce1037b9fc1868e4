import ArgumentParser
import Calendars
import Text

/// Replaces the argument parser's message about wrong arguments by a sentence with a remedy.
enum UsageText {
  /// The sentence for a message of the parser; other messages are returned as they are, with a full stop.
  ///
  /// - Parameters:
  ///   - message: the parser's message with its help and usage.
  ///   - words: the arguments, as parsed.
  static func sentence(_ message: String, _ words: [String]) -> String {
    var first = message.split(separator: "\n").first.map(String.init) ?? message
    if first.hasPrefix("Error: ") { first.removeFirst(7) }
    let usage = Usage(message)
    let quoted = first.split(separator: "'", omittingEmptySubsequences: false).map(String.init)
    let subject = quoted.count > 1 ? quoted[1] : ""
    switch first {
    case let text where text.hasPrefix("Missing expected argument"), let text where text.hasPrefix("Missing one of"):
      return "“\(usage.command)” needs \(subject)" + (usage.example.map { ", as in: \($0)" } ?? ".")
    case let text where text.hasPrefix("Missing value for"):
      let option = subject.prefix { $0 != " " }
      let next = words.lastIndex(of: String(option)).flatMap { words[($0 + 1)...].first }
      if let next, next.hasPrefix("-"), !usage.options.contains(next) {
        if subject.hasSuffix("<time>") { return TimeError.unreadable(next).message }
        return "\(option) needs a value. To give it one that begins with “-”, write: \(option)=\(next)"
      }
      return "\(option) needs a value: \(subject)." + usage.help
    case let text where text.hasPrefix("Unknown option"): return unknown(subject, usage)
    case let text where text.contains("nexpected argument"):
      let extra =
        first.hasPrefix("Unexpected") ? [subject] : stride(from: 1, to: quoted.count, by: 2).map { quoted[$0] }
      return tooMany(extra, usage, words)
    case let text where text.hasPrefix("The value '"):
      let place = quoted.count > 3 ? quoted[3] : ""
      return "“\(subject)” is not valid for \(place.prefix { $0 != " " })." + usage.help
    default:
      // The message is a sentence of this program, or a rare one of the parser.
      return first.hasSuffix(".") || first.hasSuffix("?") ? first : first + "."
    }
  }

  private static func unknown(_ option: String, _ usage: Usage) -> String {
    let lead = "“\(usage.command)” has no option “\(option)”."
    if let near = Suggestion.nearest(to: option, among: usage.options) { return "\(lead) Did you mean “\(near)”?" }
    // Beside `tally group show` are the other commands of `tally group`.
    let folder = usage.command.split(separator: " ").dropLast()
    for path in folder.count > 1 ? [folder, ["tally"]] : [["tally"]] {
      let others = Usage.command(path.dropFirst()).configuration.subcommands.filter { command in
        Usage.options(on: Tally.helpMessage(for: command, columns: 1000)).contains(option)
      }.map { (path + [$0._commandName[...]]).joined(separator: " ") }
      if 1...4 ~= others.count { return "\(lead) Commands with it: \(others.joined(separator: ", "))." }
    }
    return option.hasPrefix("--") || option.count == 2 && !Tally.isNumber(option)
      ? "\(lead) Its options: \(usage.command) --help"
      : "\(lead) A name or a number here does not begin with “-”; other text that does is written after “--”."
  }

  private static func tooMany(_ extra: [String], _ usage: Usage, _ words: [String]) -> String {
    let subject = extra.prefix(3).map { "“\($0)”" }.joined(separator: ", ")
    if usage.command == "tally group show", let verb = words.dropFirst().first(where: { !$0.hasPrefix("-") }) {
      // The first word may be the name of a group.
      let near = groupSynonyms[verb] ?? Suggestion.nearest(to: verb, among: groupVerbs)
      if let near, near != verb {
        return "There is no command “tally group \(verb)”. Did you mean “tally group \(near)”?"
      }
      if !groupVerbs.contains(verb) {
        return "\(subject) \(extra.count == 1 ? "is one word" : "are") too many. Write: \(usage.form). "
          + "There is no command “tally group \(verb)”; there are: \(groupVerbs.joined(separator: ", "))."
      }
    }
    if let option = words.firstIndex(where: ["--title", "--note", "--period"].contains) {
      let value = words[(option + 1)...].prefix { !$0.hasPrefix("-") }
      if value.count > 1, value.last == extra.last {
        return "A value of several words belongs in quotes: \(words[option]) \"\(value.joined(separator: " "))\""
      }
    }
    if usage.command == "tally move", extra.count == 1, let group = extra.first {
      return "\(subject) is one word too many. To move into a group: tally move NAME --group \(group)"
    }
    if ["tally new", "tally group new"].contains(usage.command), let end = words.lastIndex(of: extra.last ?? ""),
      let start = words.firstIndex(of: "new"), start + 1 < end
    {
      let title = words[(start + 1)...end].filter { !$0.hasPrefix("-") }.joined(separator: " ")
      return
        "A name is a single word, and \(subject) \(extra.count == 1 ? "is" : "are") too many. A title has several: "
        + "\(usage.command) \(words[start + 1]) --title \"\(title)\""
    }
    if usage.command == "tally import", let next = extra.first {
      return "tally import reads one file at a time, so that one undo takes it back. Next: tally import \(next)"
    }
    if ["start", "stop", "toggle", "lap"].contains(words.first) {
      return "\(usage.command) takes one stopwatch, or --group NAME for those of a group."
    }
    // A command that only has options may need one of them.
    let form = usage.form == usage.command ? usage.example ?? usage.form : usage.form
    return "\(subject) \(extra.count == 1 ? "is one word" : "are") too many. Write: \(form)"
  }

  private static let groupVerbs = GroupCommand.configuration.subcommands.map { $0._commandName }

  /// Verbs of other programs, with the equivalent verb of `tally group`.
  private static let groupSynonyms = [
    "add": "new", "create": "new", "make": "new", "delete": "remove", "rm": "remove", "edit": "set", "mv": "rename",
  ]

  /// The command in the parser's message, with its help.
  private struct Usage {
    /// The command, such as `tally group new`.
    let command: String
    /// The command with its arguments, without its options: `tally rename <name> <new-name>`.
    let form: String
    /// The parser's help on an option or argument, after a space: ` The amount that one gesture adds or subtracts.`
    let help: String
    /// All long options of the command.
    let options: [String]
    /// The first example of its help.
    let example: String?

    init(_ message: String) {
      let lines = message.split(separator: "\n")
      func rest(of lead: String) -> Substring { lines.first { $0.hasPrefix(lead) }?.dropFirst(lead.count) ?? "" }
      let tokens = rest(of: "Usage: ").split(separator: " ")
      let command = tokens.prefix { !$0.hasPrefix("[") && !$0.hasPrefix("<") }.joined(separator: " ")
      let arguments = tokens.filter { word in
        word.hasPrefix("<") && word.hasSuffix(">") || word.hasPrefix("[<") && word != "[<options>]"
      }
      form = ([command] + arguments.map { $0.hasPrefix("[") && !$0.hasSuffix("]") ? "\($0) …]" : String($0) })
        .joined(separator: " ")
      // The help begins with the name of the option.
      help = rest(of: "Help:  ").split(separator: "  ", maxSplits: 1).dropFirst().last.map { " \($0)" } ?? ""
      let page = Tally.helpMessage(for: Self.command(command.split(separator: " ").dropFirst()), columns: 1000)
      options = Self.options(on: page).filter { $0.hasPrefix("--") }
      example =
        page.split(separator: "\n").lazy.compactMap { line in
          let text = line.drop { $0 == " " }
          let words = text.hasPrefix("Example: ") ? text.dropFirst(9) : text
          return words.hasPrefix("\(command) ") ? words.components(before: ["  (", ";", ", and", ", or"]) : nil
        }.first
      self.command = command
    }

    /// The options in the help of a command, without those that its sentences mention.
    static func options(on page: String) -> [String] {
      page.split(separator: "\n").filter { $0.hasPrefix("  -") }.flatMap { line in
        line.dropFirst(2).components(before: ["  "]).split { " ,/".contains($0) }.filter { $0.hasPrefix("-") }
          .map(String.init)
      }
    }

    /// The command of these words after `tally`.
    static func command(_ words: some Sequence<Substring>) -> any ParsableCommand.Type {
      words.reduce(Tally.self) { command, word in
        command.configuration.subcommands.first { $0._commandName == word } ?? command
      }
    }
  }
}

extension Substring {
  /// The text before the first of some separators.
  fileprivate func components(before separators: [String]) -> String {
    var text = self
    for separator in separators { text = text.split(separator: separator, maxSplits: 1).first ?? text }
    return String(text)
  }
}
