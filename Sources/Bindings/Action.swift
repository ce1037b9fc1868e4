import Counting

/// What a gesture does: a verb of the command line with its arguments, such as `add`, `add people 2` or `undo`.
///
/// The text form can be read and printed; what was printed reads as the same action.
public struct Action: Equatable, Sendable, CustomStringConvertible {
  /// The verbs that a gesture can be bound to.
  public enum Verb: String, CaseIterable, Sendable {
    case add, subtract, select, next, previous, reset, undo, redo
  }

  public let verb: Verb

  /// The counter's name; nil means the current one.
  public let counter: String?

  /// How much to add or subtract, at least 1; nil means the counter's own step.
  public let amount: Int64?

  public static let add = Action(verb: .add, counter: nil, amount: nil)
  public static let subtract = Action(verb: .subtract, counter: nil, amount: nil)

  private init(verb: Verb, counter: String?, amount: Int64?) {
    self.verb = verb
    self.counter = counter
    self.amount = amount
  }

  /// Reads an action as it is written in a configuration.
  ///
  /// A word that has a letter is a counter's name and one without is an amount, so `add 5` means five to the current
  /// counter.
  public init(_ text: String) throws(Problem) {
    var words = text.split(whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init)
    guard let first = words.first else {
      throw Problem("an action is missing", hint: "say what is to be done, such as \"add\" or \"add people 2\"")
    }
    words.removeFirst()
    guard let verb = Verb(rawValue: first) else {
      let verbs = Verb.allCases.map(\.rawValue)
      throw Problem(
        "\"\(first)\" is nothing that can be done",
        hint: Suggestion.phrase(for: first, among: verbs) ?? "it can be \(verbs.joined(separator: ", "))")
    }
    switch verb {
    case .undo, .redo, .next, .previous:
      guard words.isEmpty else { throw Problem("\"\(verb.rawValue)\" concerns no one counter and stands alone") }
      self.init(verb: verb, counter: nil, amount: nil)
    case .select:
      guard words.count == 1 else { throw Problem("\"select\" needs the name of one counter", hint: "select people") }
      self.init(verb: verb, counter: try Self.counter(words[0]), amount: nil)
    case .reset:
      guard words.count <= 1 else { throw Problem("\"reset\" takes one counter or none", hint: "reset people") }
      self.init(
        verb: verb, counter: try words.first.map { word throws(Problem) in try Self.counter(word) }, amount: nil)
    case .add, .subtract:
      guard words.count <= 2 else {
        throw Problem(
          "\"\(verb.rawValue)\" takes a counter and an amount, and \"\(words[2])\" is one word too many",
          hint: "\(verb.rawValue) people 2")
      }
      let isAmountOnly = words.count == 1 && !words[0].contains(where: \.isLetter)
      let counter = isAmountOnly ? nil : try words.first.map { word throws(Problem) in try Self.counter(word) }
      let amount = isAmountOnly ? words.first : words.dropFirst().first
      self.init(verb: verb, counter: counter, amount: try amount.map { word throws(Problem) in try Self.amount(word) })
    }
  }

  /// Whether it can be undone for a gesture that turns out to have been the beginning of another. What was selected
  /// before nobody remembers.
  var canBeTakenBack: Bool { verb != .select }

  /// The action as it is written in a configuration.
  public var description: String {
    ([verb.rawValue] + [counter, amount.map { String($0) }].compactMap(\.self)).joined(separator: " ")
  }

  /// A name that no counter can have is refused when it is written, not when somebody counts.
  private static func counter(_ word: String) throws(Problem) -> String {
    do throws(CountingError) {
      return try CounterName(word).text
    } catch {
      throw Problem(error.message.first == "“" ? String(error.message.dropLast()) : error.message)
    }
  }

  private static func amount(_ word: String) throws(Problem) -> Int64 {
    let isNumber = word.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard isNumber, !word.isEmpty else { throw Problem("\"\(word)\" is no amount: it is a whole number from 1 on") }
    guard let amount = Int64(word) else { throw Problem("\(word) is more than a counter can hold") }
    guard amount >= 1 else { throw Problem("an amount of \(word) would change nothing") }
    return amount
  }

  /// Why a text is no action.
  public struct Problem: Error, Equatable, Sendable {
    /// What is wrong, as part of a sentence.
    public let reason: String
    /// What was probably meant, or how it is done right; nil where nothing comes to mind.
    public let hint: String?

    init(_ reason: String, hint: String? = nil) {
      self.reason = reason
      self.hint = hint
    }
  }
}
