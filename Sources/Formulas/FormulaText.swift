/// A formula as it was written, which is known to make sense as far as that can be told without knowing any counter.
public struct FormulaText: Equatable, Sendable {
  public let text: String
  public let expression: Expression

  /// At most so many characters.
  public static let longest = 1000

  /// - Throws: a ``FormulaError`` that says what makes no sense, and where.
  public init(_ text: String) throws(FormulaError) {
    // Bytes first: one character can be megabytes long.
    guard text.utf8.count <= Self.longest * 4, text.unicodeScalars.count <= Self.longest else {
      throw FormulaError(
        at: 0, "A formula has at most \(Self.longest) characters; make formulas of their own of its parts.")
    }
    let scalars = Array(text.unicodeScalars)
    if let place = scalars.firstIndex(where: { $0.properties.generalCategory == .control }) {
      throw FormulaError(at: place, "A formula is one line without control characters.")
    }
    var parser = try FormulaParser(scalars)
    expression = try parser.formula()
    self.text = text
  }

  /// The same formula after something that it names is called otherwise.
  ///
  /// - Parameter isGroup: whether that is a group, not a counter or a formula.
  public func renaming(_ name: String, to newName: String, isGroup: Bool) -> String {
    var scalars = Array(text.unicodeScalars)
    let places = expression.references
      .filter { ($0.kind == .group) == isGroup && $0.reference.name == name }.map(\.reference.position)
    for place in places.sorted(by: >) {
      scalars.replaceSubrange(place..<(place + name.unicodeScalars.count), with: newName.unicodeScalars)
    }
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }
}
