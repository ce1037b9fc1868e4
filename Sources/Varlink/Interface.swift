/// A parsed interface description: methods, errors and types.
public struct Interface: Sendable {
  /// The qualified name, such as `org.varlink.service`.
  public let name: String

  /// The text of the description, including comments; returned by `GetInterfaceDescription`.
  public let description: String

  /// Methods by short name.
  public let methods: [String: Method]

  /// Parameters of errors, by short name of the error.
  public let errors: [String: [Field]]

  /// Named types.
  public let types: [String: ValueType]

  /// Parses a description in Varlink's interface language.
  ///
  /// - Throws: the first error, with its position.
  public init(_ description: String) throws(SyntaxError) {
    var parser = InterfaceParser(description)
    self = try parser.interface()
  }

  init(
    name: String, description: String, methods: [String: Method], errors: [String: [Field]], types: [String: ValueType]
  ) {
    self.name = name
    self.description = description
    self.methods = methods
    self.errors = errors
    self.types = types
  }

  /// Parameters and reply of a method.
  public struct Method: Sendable, Equatable {
    public let input: [Field]
    public let output: [Field]
  }

  /// One member of a structure.
  public struct Field: Sendable, Equatable {
    public let name: String
    public let type: ValueType
  }

  /// Type of a field's value.
  public indirect enum ValueType: Sendable, Equatable {
    case bool
    /// A signed integer of 64 bits.
    case int
    /// A double; integers are accepted.
    case float
    case string
    /// Any JSON object.
    case object
    /// Any JSON value.
    case any
    /// One of these words.
    case enumeration([String])
    case structure([Field])
    /// A type that the interface defines.
    case named(String)
    case array(ValueType)
    /// An object with any names and values of this type.
    case map(ValueType)
    /// Optional: may be absent or `null`.
    case nullable(ValueType)
  }

  /// An error in a description.
  public struct SyntaxError: Error, Equatable, CustomStringConvertible {
    /// Counted from 1.
    public let line: Int
    /// Counted from 1, in bytes.
    public let column: Int
    /// The fault at that position.
    public let reason: String

    public var description: String { "line \(line), column \(column): \(reason)" }
  }
}
