/// One error in a configuration file, for the person who wrote the file.
public struct ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
  public let file: String
  /// The line, from 1; 0 for an error in the file as a whole.
  public let line: Int
  /// The column, from 1, in characters; 0 for an error in the file as a whole.
  public let column: Int
  /// The fault, as a sentence.
  public let reason: String
  /// The likely meaning, or an example of a correct form; nil without a suggestion.
  public let hint: String?

  public init(file: String, line: Int, column: Int, reason: String, hint: String? = nil) {
    self.file = file
    self.line = line
    self.column = column
    self.reason = reason
    self.hint = hint
  }

  /// `file:line:column: reason: hint`, the form that editors recognise.
  public var description: String {
    let place = line > 0 ? "\(file):\(line):\(column)" : file
    return "\(place): \(reason)" + (hint.map { ": \($0)" } ?? "")
  }
}

/// All errors in a configuration file, in the order of its lines; never empty.
public struct ConfigurationErrors: Error, Equatable, Sendable, CustomStringConvertible {
  public let errors: [ConfigurationError]

  public init(errors: [ConfigurationError]) { self.errors = errors }

  public var description: String { errors.map(\.description).joined(separator: "\n") }
}
