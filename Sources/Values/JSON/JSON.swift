/// A JSON value as Varlink uses it: integers and floating-point numbers are distinct.
public enum JSON: Equatable, Sendable {
  case null
  case bool(Bool)
  case int(Int64)
  /// Always finite in a value that was parsed.
  case float(Double)
  case string(String)
  case array([JSON])
  case object(JSONObject)

  /// The Boolean; `nil` for other kinds.
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// The integer; `nil` for other kinds, also for a floating-point number without a fraction.
  public var int: Int64? { if case .int(let value) = self { value } else { nil } }

  /// The number as a double; integers are converted, as Varlink's `float` accepts both.
  public var float: Double? {
    switch self {
    case .float(let value): value
    case .int(let value): Double(value)
    default: nil
    }
  }

  /// The string; `nil` for other kinds.
  public var string: String? { if case .string(let value) = self { value } else { nil } }

  /// The elements; `nil` for other kinds.
  public var array: [JSON]? { if case .array(let value) = self { value } else { nil } }

  /// The members; `nil` for other kinds.
  public var object: JSONObject? { if case .object(let value) = self { value } else { nil } }

  /// Whether this is `null`, which in a Varlink message means the same as an absent member.
  public var isNull: Bool { if case .null = self { true } else { false } }
}

extension JSON: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  public init(nilLiteral: ()) { self = .null }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(integerLiteral value: Int64) { self = .int(value) }
  public init(floatLiteral value: Double) { self = .float(value) }
  public init(stringLiteral value: String) { self = .string(value) }
  public init(arrayLiteral elements: JSON...) { self = .array(elements) }
  public init(dictionaryLiteral elements: (String, JSON)...) { self = .object(JSONObject(elements)) }
}

extension JSON {
  /// Maximum nesting of arrays and objects; deeper text is an error, so that parsing cannot exhaust the stack.
  public static let maximumDepth = 256

  /// An error in JSON text.
  public struct SyntaxError: Error, Equatable, CustomStringConvertible {
    /// Counted from 1.
    public let line: Int
    /// Counted from 1, in characters.
    public let column: Int
    /// The fault at that position.
    public let reason: String

    public var description: String { "line \(line), column \(column): \(reason)" }
  }

  /// Parses one JSON value from `text`; only white space may follow.
  ///
  /// Errors beyond those of JSON: a repeated name in an object, integers outside 64 bits, floating-point numbers
  /// outside a double, the character U+0000, and nesting deeper than ``maximumDepth``.
  ///
  /// - Parameter values: maximum number of values, including nested ones. A value takes up to forty times the memory of
  ///   its text.
  public init(parsing text: String, values: Int = .max) throws(SyntaxError) {
    var text = text
    let result = text.withUTF8 { bytes in
      Result { () throws(SyntaxError) in unsafe try JSON(parsing: UnsafeRawBufferPointer(bytes), values: values) }
    }
    self = try result.get()
  }

  /// Parses one JSON value from UTF-8 bytes, like ``init(parsing:values:)``, but replaces values that are outside of
  /// the supported ranges: integers outside 64 bits, floating-point numbers outside a double, U+0000 and lone
  /// surrogates.
  ///
  /// - Returns: the value, and the names of the members and the indexes that lead to the first replaced one, if any.
  package static func replacing(
    parsing bytes: UnsafeRawBufferPointer, values: Int = .max
  ) throws(SyntaxError) -> (value: JSON, replaced: [String]?) {
    var reader = unsafe JSONReader(bytes, values: values, isLenient: true)
    let value = try reader.whole()
    return (value, reader.replaced)
  }

  /// Parses one JSON value from UTF-8 bytes.
  package init(parsing bytes: UnsafeRawBufferPointer, values: Int = .max) throws(SyntaxError) {
    var reader = unsafe JSONReader(bytes, values: values)
    self = try reader.whole()
  }
}
