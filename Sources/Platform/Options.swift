/// The words that a program was started with, sorted into options and the rest: `--name`, `--name VALUE`,
/// `--name=VALUE`, `-h` for `--help`; after `--` nothing is an option any more.
public struct Options: Equatable, Sendable {
  /// What is no option, in order.
  public let words: [String]
  private let flags: Set<String>
  private let values: [String: String]

  /// Sorts `arguments`, which do not include the program's own name.
  ///
  /// - Parameters:
  ///   - flags: names of the options that stand alone, without dashes.
  ///   - valued: names of the options that need a value; of several the last one counts.
  /// - Throws: a sentence about the first word that makes no sense.
  public init(
    _ arguments: some Sequence<String>, flags known: Set<String>, valued: Set<String> = []
  ) throws(UsageError) {
    var words: [String] = []
    var flags: Set<String> = []
    var values: [String: String] = [:]
    var rest = Array(arguments)[...]
    while let word = rest.popFirst() {
      if word == "--" {
        words += rest
        break
      }
      guard word.hasPrefix("-"), word != "-" else {
        words.append(word)
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let option = word == "-h" ? "--help" : String(parts.first ?? "")
      let name = String(option.dropFirst(2))
      if option.hasPrefix("--"), known.contains(name) {
        guard parts.count == 1 else { throw UsageError("\(option) takes no value.") }
        flags.insert(name)
      } else if option.hasPrefix("--"), valued.contains(name) {
        guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst(), !value.isEmpty else {
          throw UsageError("\(option) needs a value.")
        }
        values[name] = value
      } else {
        throw UsageError("There is no option \(option).")
      }
    }
    self.words = words
    self.flags = flags
    self.values = values
  }

  /// Whether the option that stands alone was given.
  public func has(_ flag: String) -> Bool { flags.contains(flag) }

  /// The value given to an option.
  public func value(of name: String) -> String? { values[name] }
}

/// The program was started in a way that makes no sense; it ends with code ``code``.
public struct UsageError: Error, Equatable, CustomStringConvertible {
  /// `EX_USAGE` of sysexits.h.
  public static let code: Int32 = 64

  /// A sentence that says what made no sense.
  public let description: String

  public init(_ description: String) { self.description = description }
}
