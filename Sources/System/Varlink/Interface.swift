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

  /// The methods, errors and types in the order of the description.
  public let definitions: [Definition]

  /// Parses a description in Varlink's interface language.
  ///
  /// - Parameter keepsComments: whether definitions and fields have their comments, for generators of code.
  /// - Throws: the first error, with its position.
  public init(_ description: String, keepsComments: Bool = false) throws(SyntaxError) {
    var parser = InterfaceParser(description, keepsComments: keepsComments)
    self = try parser.interface()
  }

  init(
    name: String, description: String, methods: [String: Method], errors: [String: [Field]],
    types: [String: ValueType], definitions: [Definition]
  ) {
    self.name = name
    self.description = description
    self.methods = methods
    self.errors = errors
    self.types = types
    self.definitions = definitions
  }

  /// A method, error or type: its short name, which no other definition has, and the comment before it.
  public struct Definition: Sendable, Equatable {
    public let name: String
    /// The lines of the comment; empty unless comments are kept.
    public let comments: [String]
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
    /// The lines of the comment before it; empty unless comments are kept.
    public let comments: [String]

    public init(name: String, type: ValueType, comments: [String] = []) {
      self.name = name
      self.type = type
      self.comments = comments
    }
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
