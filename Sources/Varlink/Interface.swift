/// An interface as its description text defines it: what can be called, with what, and what is answered.
public struct Interface: Sendable {
  /// The qualified name, such as `org.varlink.service`.
  public let name: String

  /// The text that this was read from, comments included; given to whoever asks the service for it.
  public let description: String

  /// The methods by their short names.
  public let methods: [String: Method]

  /// What each error carries, by its short name.
  public let errors: [String: [Field]]

  /// What each named type stands for.
  public let types: [String: ValueType]

  /// Reads a description in Varlink's interface language.
  ///
  /// - Throws: the first thing that is wrong, with its place.
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

  /// What a method takes and what it answers.
  public struct Method: Sendable, Equatable {
    public let input: [Field]
    public let output: [Field]
  }

  /// One member of a structure.
  public struct Field: Sendable, Equatable {
    public let name: String
    public let type: ValueType
  }

  /// What kinds of value a field takes.
  public indirect enum ValueType: Sendable, Equatable {
    case bool
    /// 64 bits with sign.
    case int
    /// A double; a whole number is accepted for one.
    case float
    case string
    /// Any JSON object.
    case object
    /// Any JSON value.
    case any
    /// One of these words.
    case enumeration([String])
    case structure([Field])
    /// A type that the interface defines under this name.
    case named(String)
    case array(ValueType)
    /// An object with any names, and values of this type.
    case map(ValueType)
    /// May be left out or be `null`.
    case nullable(ValueType)
  }

  /// What is wrong with a description, and where.
  public struct SyntaxError: Error, Equatable, CustomStringConvertible {
    /// Counted from 1.
    public let line: Int
    /// Counted from 1, in bytes.
    public let column: Int
    /// What was expected or refused there.
    public let reason: String

    public var description: String { "line \(line), column \(column): \(reason)" }
  }
}
