extension JSON {
  /// How deep arrays and objects may lie in each other; deeper text is refused, so that no reader runs out of stack.
  public static let maximumDepth = 256

  /// Why a text is not JSON, and where.
  public struct SyntaxError: Error, Equatable, CustomStringConvertible {
    /// Counted from 1.
    public let line: Int
    /// Counted from 1, in characters.
    public let column: Int
    /// What is wrong there.
    public let reason: String

    public var description: String { "line \(line), column \(column): \(reason)" }
  }

  /// Reads one JSON value from UTF-8 `text`; nothing but white space may follow it.
  ///
  /// Refused, where JSON leaves it open: a name that occurs twice in one object, whole numbers outside 64 bits,
  /// fractions outside a double, the character U+0000, and nesting deeper than ``maximumDepth``.
  ///
  /// - Parameter values: how many values it may hold, those within others counted as well. A value takes up to forty
  ///   times the memory of its text.
  public init(parsing text: String, values: Int = .max) throws(SyntaxError) {
    var text = text
    let result = text.withUTF8 { bytes in
      Result { () throws(SyntaxError) in unsafe try JSON(parsing: UnsafeRawBufferPointer(bytes), values: values) }
    }
    self = try result.get()
  }

  /// Reads one JSON value from bytes, which are only looked at during the call.
  package init(parsing bytes: UnsafeRawBufferPointer, values: Int = .max) throws(SyntaxError) {
    var reader = unsafe JSONReader(bytes, values: values)
    self = try reader.whole()
  }
}
