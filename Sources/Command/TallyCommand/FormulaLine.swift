import CoreAPI
import Counting
import JSON
import Linux
import Reports
import Text

/// The output of a formula, as text or as JSON.
@dynamicMemberLookup
struct FormulaLine {
  let formula: Counters.Formula

  init(_ formula: Counters.Formula) { self.formula = formula }

  subscript<Value>(dynamicMember member: KeyPath<Counters.Formula, Value>) -> Value { formula[keyPath: member] }

  /// The text for a missing value.
  static let noValue = "no value"

  var text: String { formula.text.map(ValueText.localised) ?? Self.noValue }

  var icon: String { (formula.icon ?? "").printableIcon }

  /// The JSON object, distinguished from that of a counter by `kind`.
  var json: JSON {
    var line: JSONObject = ["kind": "formula"]
    for (key, value) in formula.object { line[key] = value }
    return .object(line)
  }

  /// A list of formulas in at most `width` columns: value, name and expression.
  static func table(_ formulas: [FormulaLine], width: Int = Terminal.room) -> [String] {
    let longestIcon = formulas.map(\.icon.columns).max() ?? 0
    let iconWidth = longestIcon > 0 && longestIcon + 20 < width ? longestIcon + 1 : 0
    let width = width - iconWidth
    let valueWidth = min(formulas.map(\.text.columns).max() ?? 0, width / 2)
    let nameWidth = min(formulas.map(\.name.columns).max() ?? 0, max(6, width - valueWidth - 4))
    return formulas.map { formula in
      let value = formula.text.clipped(to: valueWidth).padded(to: valueWidth, onLeft: true)
      let icon = iconWidth > 0 ? formula.icon.padded(to: iconWidth) + Output.column(2 + iconWidth) : ""
      let line = "  " + icon + Output.styled(value, .bold, colour: formula.colour) + "  "
      let name = formula.name.clipped(to: nameWidth)
      let title = formula.title == formula.name ? "" : "  \(formula.title.printableLine)"
      let whole = "\(title)  = \(formula.formula.formula.printableLine)"
      let rest = whole.clipped(to: width - valueWidth - 4 - nameWidth)
      // Fewer letters of the expression are useless.
      guard rest == whole || rest.columns > 6 else { return line + name }
      return line + name.padded(to: nameWidth) + Output.styled(rest, .faint)
    }
  }

  /// The card of one formula: its value and name, and every setting below it.
  ///
  /// - Parameter lack: the reason why the formula has no value, if known.
  func card(lack: String? = nil, width: Int = Terminal.room) -> [String] {
    let value = Output.styled(text, .bold, colour: formula.colour)
    let rows: KeyValuePairs<String, String?> = [
      "reason": lack, "formula": formula.formula, "shown as": formula.display,
      "title": formula.title == formula.name ? nil : formula.title, "group": formula.group, "colour": formula.colour,
      "icon": formula.icon, "note": formula.note,
    ]
    let head = "  \(value)  \(formula.name)" + (formula.isArchived ? " (archived)" : "")
    return [head.clipped(to: width)]
      + CounterCard.lines(rows.compactMap { label, text in text.flatMap { $0.isEmpty ? nil : (label, $0) } })
  }

  /// The reason why a formula has no value: a name in it that does not exist, or a formula in it without a value. `nil`
  /// for any other reason.
  static func lack(of formula: Counters.Formula, _ core: CoreClient) throws -> String? {
    guard formula.text == nil, let text = try? FormulaText(formula.formula) else { return nil }
    let (list, groups) = (try core.call(.list), try core.call(.groups).groups.map(\.name))
    return text.expression.references.lazy.compactMap { kind, reference in
      let name = reference.name
      if kind == .group { return groups.contains(name) ? nil : "there is no group “\(name)”" }
      if let part = list.formulas.first(where: { $0.name == name }) {
        return part.text == nil ? "the formula “\(name)” has no value" : nil
      }
      return list.counters.contains { $0.name == name } ? nil : "there is no counter “\(name)”"
    }.first
  }

  /// The table after an empty line, to follow the counters.
  static func section(_ formulas: [FormulaLine], width: Int = Terminal.room) -> [String] {
    formulas.isEmpty ? [] : [""] + table(formulas, width: width)
  }

  /// The expression with a mark below the position of an error.
  ///
  /// - Parameter position: in Unicode scalars.
  static func marked(_ formula: String, at position: Int) -> String {
    // Characters without width do not move the mark.
    let before = formula.unicodeScalars.prefix(max(0, position))
      .filter { ![.nonspacingMark, .enclosingMark, .format].contains($0.properties.generalCategory) }
    return "  \(formula)\n  \(String(repeating: " ", count: before.count))^"
  }
}
