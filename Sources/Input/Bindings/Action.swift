import Counting
import Text
import Toml

/// The action of a gesture: a verb of the command line with its arguments, such as `add`, `add people 2` or `undo`; or
/// several verbs, all of which are carried out, or none.
///
/// The text form can be parsed and printed; a printed action parses to the same action.
public struct Action: Equatable, Sendable, CustomStringConvertible {
  /// The verbs that a gesture can be bound to.
  public enum Verb: String, CaseIterable, Sendable {
    case add, subtract, select, next, previous
    case nextGroup = "next-group"
    case previousGroup = "previous-group"
    case reset, undo, redo, start, stop, toggle, lap
    /// Makes a gesture that is bound elsewhere do nothing.
    case nothing
  }

  /// The counters of a reset or of a change of stopwatches, if there may be several.
  public enum Scope: Equatable, Sendable {
    case group(String)
    case all
  }

  public let verb: Verb

  /// The counter's name; nil for the current one, and for all with `undo` and `redo`.
  public let counter: String?

  /// The amount to add or subtract, such as `2` or `1.5`; nil for the counter's step.
  public let amount: String?

  /// With `reset` and the verbs of stopwatches: the counters of a group, or all; nil for a single one.
  public let scope: Scope?

  /// The actions that follow this one: done completely or not at all, and one step for an undo.
  public private(set) var further: [Action] = []

  public static let add = Action(verb: .add)
  public static let subtract = Action(verb: .subtract)

  private init(verb: Verb, counter: String? = nil, amount: String? = nil, scope: Scope? = nil) {
    self.verb = verb
    self.counter = counter
    self.amount = amount
    self.scope = scope
  }

  /// Parses an action as written in a configuration.
  ///
  /// A word with a letter is a counter's name, any other word is an amount: `add 5` adds five to the current counter.
  public init(_ text: String) throws(Problem) {
    var words = text.split(whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init)
    guard let first = words.first else {
      throw Problem("an action is missing", hint: "say what is to be done, such as \"add\" or \"add people 2\"")
    }
    words.removeFirst()
    guard let verb = Verb(rawValue: first) else {
      let verbs = Verb.allCases.map(\.rawValue)
      throw Problem(
        "\"\(first)\" is not an action",
        hint: Suggestion.phrase(for: first, among: verbs) ?? "it can be \(verbs.joined(separator: ", "))")
    }
    switch verb {
    case .next, .previous, .nextGroup, .previousGroup, .nothing:
      guard words.isEmpty else {
        let isGroup = verb == .next || verb == .previous ? words[0].hasSuffix("group") : false
        throw Problem(
          "\"\(verb.rawValue)\" takes no counter and no other word",
          hint: isGroup ? "\(verb.rawValue)-group" : nil)
      }
      self.init(verb: verb)
    case .select:
      guard words.count == 1 else { throw Problem("\"select\" needs the name of one counter", hint: "select people") }
      self.init(verb: verb, counter: try Self.counter(words[0]))
    case _ where Self.takesScope.contains(verb) && words.first?.hasPrefix("--") ?? false:
      self.init(verb: verb, scope: try Self.scope(words, of: verb))
    case .reset, .undo, .redo, .start, .stop, .toggle, .lap:
      guard words.count <= 1 else {
        throw Problem("\"\(verb.rawValue)\" takes one counter or none", hint: "\(verb.rawValue) people")
      }
      self.init(verb: verb, counter: try words.first.map { word throws(Problem) in try Self.counter(word) })
    case .add, .subtract:
      guard words.count <= 2 else {
        throw Problem(
          "\"\(verb.rawValue)\" takes a counter and an amount, and \"\(words[2])\" is one word too many",
          hint: "\(verb.rawValue) people 2")
      }
      if words.count == 2, !words[0].contains(where: \.isLetter), words[1].contains(where: \.isLetter) {
        throw Problem(
          "the name of the counter comes before the amount", hint: "\(verb.rawValue) \(words[1]) \(words[0])")
      }
      let isAmountOnly = words.count == 1 && !words[0].contains(where: \.isLetter)
      let counter = isAmountOnly ? nil : try words.first.map { word throws(Problem) in try Self.counter(word) }
      let amount = isAmountOnly ? words.first : words.dropFirst().first
      self.init(verb: verb, counter: counter, amount: try amount.map { word throws(Problem) in try Self.amount(word) })
    }
  }

  /// Parses several actions, in the order in which they are done.
  public init(all texts: [String]) throws(Problem) {
    let actions = try texts.map { text throws(Problem) in try Action(text) }
    guard var first = actions.first else { throw Problem("an action is missing") }
    guard actions.count <= Self.most else {
      throw Problem("\(actions.count) actions are too many for one gesture", hint: "it can have \(Self.most)")
    }
    if actions.count > 1, let lone = actions.first(where: { Self.lone.contains($0.verb) }) {
      throw Problem("\"\(lone)\" must be the only action of its gesture")
    }
    first.further = Array(actions.dropFirst())
    self = first
  }

  /// Verbs that can concern a group or all counters.
  private static let takesScope: Set<Verb> = [.reset, .start, .stop, .toggle, .lap]

  /// The maximum number of actions of one gesture.
  private static let most = 20

  /// Verbs that cannot be part of a list: the first gesture only arms a reset, and an undo concerns earlier changes.
  private static let lone: Set<Verb> = [.reset, .undo, .redo, .nothing]

  /// This action and all further ones, in order.
  public var parts: [Action] {
    var first = self
    first.further = []
    return [first] + further
  }

  /// Whether the action can be undone if a longer gesture supersedes its gesture. A selection cannot, because the
  /// previously selected counter is unknown.
  var canBeTakenBack: Bool {
    ![.select, .nextGroup, .previousGroup].contains(verb) && further.allSatisfy(\.canBeTakenBack)
  }

  /// The action as written in a configuration; several actions have commas between them.
  public var description: String {
    let text = ([verb.rawValue] + [counter, amount, scope?.description].compactMap(\.self)).joined(separator: " ")
    return ([text] + further.map(\.description)).joined(separator: ", ")
  }

  private static func scope(_ words: [String], of verb: Verb) throws(Problem) -> Scope {
    switch (words.first, words.count) {
    case ("--all", 1): return .all
    case ("--group", 2): return .group(try counter(words[1]))
    default:
      throw Problem(
        "\"\(verb.rawValue)\" takes one counter, --group and a group, or --all",
        hint: "\(verb.rawValue) --group kids")
    }
  }

  /// Checks a counter's name, so that an invalid name is refused when the configuration is read, not at the gesture.
  private static func counter(_ word: String) throws(Problem) -> String {
    do throws(CountingError) {
      return try CounterName(word).text
    } catch {
      // Messages about a configuration use the quotes of its format, and have no full stop.
      let reason = String(error.message.map { $0 == "“" || $0 == "”" ? "\"" : $0 })
      throw Problem(reason.hasSuffix(".") ? String(reason.dropLast()) : reason)
    }
  }

  private static func amount(_ word: String) throws(Problem) -> String {
    let parts = word.split(separator: ".", omittingEmptySubsequences: false)
    let isNumber = parts.count <= 2 && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }
    guard isNumber else {
      throw Problem("\"\(word)\" is not a valid amount", hint: "write a number above 0, such as 2 or 1.5")
    }
    guard word.contains(where: { "1"..."9" ~= $0 }) else { throw Problem("an amount must be above 0") }
    let decimals = parts.count > 1 ? parts[1].count : 0
    // A counter has at most nine decimals.
    guard decimals <= 9, (try? Unit.decimal(Int64(decimals)).number(word)) != nil else {
      throw Problem("\(word) is more than a counter can hold")
    }
    let digits = word.drop { $0 == "0" }
    return digits.first == "." ? "0\(digits)" : String(digits)
  }

  /// The reason why a text is not an action.
  public struct Problem: Error, Equatable, Sendable {
    /// The reason, as part of a sentence.
    public let reason: String
    /// The probable intention or an example; nil without one.
    public let hint: String?

    init(_ reason: String, hint: String? = nil) {
      self.reason = reason
      self.hint = hint
    }
  }
}

extension Action.Scope: CustomStringConvertible {
  public var description: String {
    switch self {
    case .group(let name): "--group \(name)"
    case .all: "--all"
    }
  }
}
