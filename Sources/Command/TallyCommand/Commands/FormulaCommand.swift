import ArgumentParser
import CoreAPI
import Counting
import Glibc
import JSON
import Varlink

/// `tally formula`: shows, creates or changes formulas.
struct FormulaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "formula",
    abstract: "Create, change or show formulas: values computed from counters.",
    discussion: """
      A formula contains names of counters and of other formulas, and numbers. A stopwatch counts as its seconds. \
      Operators: + - * / ( ), comparisons < <= > >= = != (1 or 0), and % for percent: 5 % is 0.05. There is no remainder.

      Functions: min, max, sum, average, round(x), round(x, decimals), rate(counter) (its growth per hour since its \
      reset, or since its first count, over a minute at least), target(counter), left(counter) and done(counter) (the \
      amounts that its goal lacks, and that were counted of it), sum(group:NAME).

      Names may contain “-” and “.”, so write spaces around a minus: “a-b” is a name, “a - b” a difference. Put the formula \
      in quotes, or the shell replaces * by the names of files. A division by zero has no value; a half is rounded to the \
      even neighbour.

      Examples:
        tally formula hits = "goals / shots" --as percent
        tally formula played = "sum(group:team)" --as duration
        tally formula hits  (its text and value)
        tally formula       (all of them)
        tally remove hits
      """)

  @Argument(help: "The name, and after “=” the formula.") var words: [String] = []
  @Option(name: .customLong("as"), help: ArgumentHelp("The display format.", valueName: "number|percent|duration"))
  var display: String?
  @Option(parsing: .unconditional, help: "The title to show; default: the name.") var title: String?
  @OptionGroup var options: CommonOptions

  func run() throws {
    if let display, Display(rawValue: display) == nil {
      throw ValidationError("“\(display)” is not valid for --as. The display format: number, percent or duration.")
    }
    let core = try CoreClient(options)
    let known = try core.call(.list).formulas.map(FormulaLine.init)
    guard let (name, formula) = try Self.parts(words) else { return show(known) }
    if formula == "" {
      throw ValidationError("The formula after “=” is missing, as in: tally formula \(name) = \"people * 2\"")
    }
    try Self.refuseFileNames(words, formula)
    // A person may type “tally formula list” for the list.
    if words == ["list"], !known.contains(where: { $0.name == name }) { return show(known) }
    let texts: KeyValuePairs<Field, String?> = [.formula: formula, .display: display, .title: title]
    var settings: Settings = [:]
    for case (let field, let text?) in texts { settings[field] = .text(text) }
    let isKnown = known.contains { $0.name == name }
    if settings.isEmpty, isKnown { return show(known.filter { $0.name == name }) }
    let event = try core.change(
      isKnown || formula == nil ? .setFormula(name, settings) : .createFormula(name, settings))
    if options.json { return core.printJSON(event) }
    show(try core.call(.list).formulas.map(FormulaLine.init).filter { $0.name == name })
  }

  private func show(_ formulas: [FormulaLine]) {
    if options.json {
      for formula in formulas { Output.line(formula.json.description) }
    } else if formulas.isEmpty {
      Output.line("There is no formula yet. Create one: tally formula twice = \"people * 2\"")
    } else {
      for line in FormulaLine.table(formulas, width: .max) { Output.line(line) }
    }
  }

  /// The name, and the expression after “=”; `nil` without arguments.
  static func parts(_ words: [String]) throws -> (name: String, formula: String?)? {
    let text = words.joined(separator: " ").trimmed
    guard let end = text.firstIndex(where: { $0 == " " || $0 == "=" }) else { return text.isEmpty ? nil : (text, nil) }
    let (name, rest) = (String(text[..<end]), String(text[end...]).trimmed)
    guard rest.first == "=" else {
      switch name {
      case "remove", "rm", "delete", "rename", "move", "set", "archive":
        let verb = ["rm", "delete"].contains(name) ? "remove" : name
        throw ValidationError("Formulas share this command with counters. Write: tally \(verb) \(rest)")
      case "new", "add", "create":
        throw ValidationError("A formula is created with “=”, such as: tally formula twice = \"people * 2\"")
      default: break
      }
      throw ValidationError("Expected “=” after the name: tally formula \(name) = \"\(rest)\"")
    }
    return (name, String(rest.dropFirst()).trimmed)
  }

  /// Refuses the names of files by which a shell has replaced an unquoted `*`.
  ///
  /// - Parameter isFile: whether a word is the name of a file.
  static func refuseFileNames(
    _ words: [String], _ formula: String?, isFile: (String) -> Bool = { access($0, F_OK) == 0 }
  ) throws {
    guard let formula, words.count > 3, words.dropFirst().contains(where: isFile),
      (try? FormulaText(formula)) == nil
    else { return }
    throw ValidationError(
      "The shell put the names of files for “*”. Write the formula in quotes, such as: tally formula twice = \"people * 2\""
    )
  }
}
