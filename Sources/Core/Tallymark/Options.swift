/// Parsed command line of a daemon: `--name`, `--name VALUE`, `--name=VALUE`, and `-h` for `--help`. Arguments after
/// `--` are no options.
///
/// The daemons do without ArgumentParser, which would add 4 MB to each of them.
public struct Options: Equatable, Sendable {
  /// The arguments that are no options, in order.
  public let words: [String]
  private let flags: Set<String>
  private let values: [String: String]

  /// Parses `arguments`, which do not include the program's own name.
  ///
  /// - Parameters:
  ///   - flags: names of options without a value, without dashes.
  ///   - valued: names of options with a value, without dashes; each may be given once.
  /// - Throws: `UsageError` for the first invalid argument.
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
        guard values.updateValue(value, forKey: name) == nil else {
          throw UsageError("\(option) is given twice, and takes one value.")
        }
      } else {
        throw UsageError("There is no option \(option).")
      }
    }
    self.words = words
    self.flags = flags
    self.values = values
  }

  /// Whether an option without a value was given.
  public func has(_ flag: String) -> Bool { flags.contains(flag) }

  /// The value of an option; `nil` if it was not given.
  public func value(of name: String) -> String? { values[name] }
}

/// An invalid command line; the program exits with ``code``.
public struct UsageError: Error, Equatable, CustomStringConvertible {
  /// `EX_USAGE` of sysexits.h.
  public static let code: Int32 = 64

  /// The reason, as a sentence.
  public let description: String

  public init(_ description: String) { self.description = description }
}
