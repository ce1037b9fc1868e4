/// Why a text is not a formula, and the place of the fault.
public struct FormulaError: Error, Equatable, Sendable {
  /// In Unicode scalars from the beginning of the text; the length of the text for something missing at the end.
  public let position: Int
  /// The fault, in a sentence.
  public let message: String

  public init(at position: Int, _ message: String) {
    self.position = position
    self.message = message
  }
}
