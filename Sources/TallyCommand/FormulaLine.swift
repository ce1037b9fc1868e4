import Varlink

/// A formula of the core, for people or for programs.
struct FormulaLine {
  let object: JSONObject
  let name: String
  let title: String
  let formula: String
  /// What it comes to, as people read it.
  let text: String

  /// - Parameter object: a `Formula` of the interface; members that are missing read as empty.
  init(_ object: JSONObject) {
    self.object = object
    name = object["name"]?.string ?? ""
    title = object["title"]?.string ?? name
    formula = object["formula"]?.string ?? ""
    text = object["text"]?.string.map(ValueText.localised) ?? "no value"
  }

  /// The formulas of a reply.
  static func all(of reply: JSONObject) -> [FormulaLine] {
    (reply["formulas"]?.array ?? []).map { FormulaLine($0.object ?? [:]) }
  }

  /// For programs, told from a counter by its kind.
  var json: JSON {
    var line: JSONObject = ["kind": "formula"]
    for (key, value) in object { line[key] = value }
    return .object(line)
  }

  /// Formulas below each other in at most `width` columns: the value first, then the name and what it says.
  static func table(_ formulas: [FormulaLine], width: Int = Terminal.room) -> [String] {
    let valueWidth = min(formulas.map(\.text.columns).max() ?? 0, width / 2)
    let nameWidth = min(formulas.map(\.name.columns).max() ?? 0, max(6, width - valueWidth - 4))
    return formulas.map { formula in
      let colour = formula.object["colour"]?.string
      let value = formula.text.clipped(to: valueWidth).padded(to: valueWidth, onLeft: true)
      let line = "  " + Output.styled(value, .bold, colour: colour) + "  "
      let name = formula.name.clipped(to: nameWidth)
      let title = formula.title == formula.name ? "" : "  \(formula.title.printable)"
      let rest = "\(title)  = \(formula.formula.printable)".clipped(to: width - valueWidth - 4 - nameWidth)
      guard rest.columns > 6 else { return line + name }
      return line + name.padded(to: nameWidth) + Output.styled(rest, .faint)
    }
  }

  /// The same behind an empty line, for below the counters.
  static func section(_ formulas: [FormulaLine], width: Int = Terminal.room) -> [String] {
    formulas.isEmpty ? [] : [""] + table(formulas, width: width)
  }

  /// A formula with a mark below the place where it makes no sense.
  ///
  /// - Parameter position: in Unicode scalars.
  static func marked(_ formula: String, at position: Int) -> String {
    // What takes no room on the screen moves the mark no further.
    let before = formula.unicodeScalars.prefix(max(0, position))
      .filter { ![.nonspacingMark, .enclosingMark, .format].contains($0.properties.generalCategory) }
    return "  \(formula)\n  \(String(repeating: " ", count: before.count))^"
  }
}
