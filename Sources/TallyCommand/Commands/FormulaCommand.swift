import ArgumentParser
import Varlink

/// `tally formula`: values that follow from counters.
struct FormulaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "formula",
    abstract: "Make, change or show formulas: values that follow from counters.",
    discussion: """
      A formula is written with names of counters (a stopwatch counts as its seconds) and other formulas, numbers,
      + - * / ( ) and %, < <= > >= = != (1 or 0), min, max, sum, average, round(x) or round(x, decimals), rate(counter)
      an hour, target(goal), left(goal), done(goal), and sum(group:NAME). Names may hold “-” and “.”, so write spaces
      around a minus: “a-b” is a name, “a - b” a difference. Dividing by nothing gives no value; a half is rounded to the
      even neighbour.
      Examples:
        tally formula hits = "goals / shots" --as percent
        tally formula played = "sum(group:team)" --as duration
        tally formula hits                     (what it says and comes to)
        tally formula                          (all of them)
        tally remove hits
      """)

  @Argument(help: "A name, and behind “=” what it is to be.") var words: [String] = []
  @Option(name: .customLong("as"), help: ArgumentHelp("How it is shown.", valueName: "number|percent|duration"))
  var display: String?
  @Option(parsing: .unconditional, help: "What people read; without it the name.") var title: String?
  @OptionGroup var options: CommonOptions

  func run() throws {
    let core = try CoreClient(options)
    let known = FormulaLine.all(of: try core.call("List"))
    guard let (name, formula) = try Self.parts(words) else { return show(known) }
    var parameters: JSONObject = [:]
    parameters["formula"] = formula.map(JSON.string)
    parameters["display"] = display.map(JSON.string)
    parameters["title"] = title.map(JSON.string)
    let isKnown = known.contains { $0.name == name }
    if parameters.isEmpty, isKnown { return show(known.filter { $0.name == name }) }
    parameters["name"] = .string(name)
    let event = try core.change(isKnown || formula == nil ? "SetFormula" : "CreateFormula", parameters)
    if options.json { return Output.line(event.json.description) }
    show(FormulaLine.all(of: try core.call("List")).filter { $0.name == name })
  }

  private func show(_ formulas: [FormulaLine]) {
    if options.json {
      for formula in formulas { Output.line(formula.json.description) }
    } else if formulas.isEmpty {
      Output.line("There is no formula yet. Make one: tally formula twice = \"people * 2\"")
    } else {
      for line in FormulaLine.table(formulas, width: .max) { Output.line(line) }
    }
  }

  /// The name, and what stands behind the “=” after it; `nil` where nothing was said.
  static func parts(_ words: [String]) throws -> (name: String, formula: String?)? {
    let text = trimmed(words.joined(separator: " ")[...])
    guard let end = text.firstIndex(where: { $0 == " " || $0 == "=" }) else { return text.isEmpty ? nil : (text, nil) }
    let (name, rest) = (String(text[..<end]), trimmed(text[end...]))
    guard rest.first == "=" else {
      throw ValidationError("An “=” stands behind the name: tally formula \(name) = \"\(rest)\"")
    }
    return (name, trimmed(rest.dropFirst()))
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
