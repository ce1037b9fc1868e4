/// Why a text is no formula, and where.
public struct FormulaError: Error, Equatable, Sendable {
  /// In Unicode scalars from the beginning of the text; its length where something is missing at the end.
  public let position: Int
  /// What is wrong there, in a sentence.
  public let message: String

  public init(at position: Int, _ message: String) {
    self.position = position
    self.message = message
  }
}
