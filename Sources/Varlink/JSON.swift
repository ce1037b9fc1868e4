/// A JSON value as Varlink uses it: whole numbers and fractions are told apart.
public enum JSON: Equatable, Sendable {
  case null
  case bool(Bool)
  case int(Int64)
  /// Always finite once it was read from or written to a message.
  case float(Double)
  case string(String)
  case array([JSON])
  case object(JSONObject)

  /// The truth value, `nil` for any other kind.
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// The whole number, `nil` for any other kind; a fraction is never rounded.
  public var int: Int64? { if case .int(let value) = self { value } else { nil } }

  /// The number as a fraction; a whole number is one too, as Varlink's `float` accepts both.
  public var float: Double? {
    switch self {
    case .float(let value): value
    case .int(let value): Double(value)
    default: nil
    }
  }

  /// The text, `nil` for any other kind.
  public var string: String? { if case .string(let value) = self { value } else { nil } }

  /// The elements, `nil` for any other kind.
  public var array: [JSON]? { if case .array(let value) = self { value } else { nil } }

  /// The members, `nil` for any other kind.
  public var object: JSONObject? { if case .object(let value) = self { value } else { nil } }

  /// Whether this is `null`, which a Varlink message means the same by as by leaving the member out.
  public var isNull: Bool { if case .null = self { true } else { false } }
}

extension JSON: ExpressibleByNilLiteral {
  public init(nilLiteral: ()) { self = .null }
}

extension JSON: ExpressibleByBooleanLiteral {
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSON: ExpressibleByIntegerLiteral {
  public init(integerLiteral value: Int64) { self = .int(value) }
}

extension JSON: ExpressibleByFloatLiteral {
  public init(floatLiteral value: Double) { self = .float(value) }
}

extension JSON: ExpressibleByStringInterpolation {
  public init(stringLiteral value: String) { self = .string(value) }
}

extension JSON: ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: JSON...) { self = .array(elements) }
}

extension JSON: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, JSON)...) { self = .object(JSONObject(elements)) }
}
