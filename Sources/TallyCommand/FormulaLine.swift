import Varlink

/// Formulas as lines for people, behind an empty one.
enum FormulaLine {
  /// - Parameter reply: what List answers.
  static func table(_ reply: JSONObject) -> [String] {
    let formulas = (reply["formulas"]?.array ?? []).compactMap(\.object)
    guard !formulas.isEmpty else { return [] }
    let values = formulas.map { $0["text"]?.string ?? "no value" }
    let width = values.map(\.columns).max() ?? 0
    return [""]
      + zip(formulas, values).map { formula, value in
        let name = formula["name"]?.string ?? ""
        let title = formula["title"]?.string ?? name
        let text = Output.styled(value.padded(to: width, onLeft: true), .bold, colour: formula["colour"]?.string)
        return "  \(text)  \(name)" + (title == name ? "" : "  " + Output.styled(title.printable, .faint))
      }
  }
}
