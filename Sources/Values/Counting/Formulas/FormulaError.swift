/// The reason why a text is not a formula, and the position of the fault.
public struct FormulaError: Error, Equatable, Sendable {
  /// The position in Unicode scalars from the beginning; the length of the text if its end is missing.
  public let position: Int
  /// The reason, as a sentence.
  public let message: String

  public init(at position: Int, _ message: String) {
    self.position = position
    self.message = message
  }
}
