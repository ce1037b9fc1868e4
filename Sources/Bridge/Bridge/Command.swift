public import CoreAPI
import Fleet
import JSON

/// A command from the broker: `{"id":"7","add":"people","amount":2}`.
///
/// The verbs are `add`, `subtract`, `reset`, `undo`, `redo` and `correct` (with `value`, or `quantity` as text:
/// "12.5"); the counter is a shared one, by name or ID. Amounts and values are in the counter's unit.
public struct Command: Equatable, Sendable {
  public enum Verb: String, CaseIterable, Sendable {
    case add, subtract, reset, undo, redo, correct
  }

  public let verb: Verb
  /// A name, or the ID of a shared counter.
  public let counter: String
  /// The amount, or the value of a correction.
  public let number: Int64?
  /// The value of a correction as a decimal number.
  public let quantity: String?
  /// The ID; repeats of a command have the same one.
  public let id: String?

  /// A command that is not valid.
  public struct Fault: Error, Equatable, Sendable {
    /// The reason, as a sentence.
    public let text: String
  }

  /// The maximum length of a command in bytes.
  static let maximumLength = 4_096

  public init(parsing bytes: some Collection<UInt8>) throws(Fault) {
    guard bytes.count <= Self.maximumLength else {
      throw Fault(text: "A command has \(bytes.count) bytes; the maximum is \(Self.maximumLength).")
    }
    guard let text = String(validating: bytes, as: UTF8.self), let json = try? JSON(parsing: text, values: 64),
      let members = json.object
    else { throw Fault(text: "A command is not a JSON object such as {\"add\":\"people\",\"id\":\"1\"}.") }
    let verbs = Verb.allCases.filter { members[$0.rawValue] != nil }
    guard verbs.count == 1 else {
      throw Fault(text: "A command needs one of add, subtract, reset, undo, redo and correct.")
    }
    verb = verbs[0]
    let numbers = Self.numbers(of: verb)
    if let other = ["amount", "value", "quantity"].first(where: { members[$0] != nil && !numbers.contains($0) }) {
      throw Fault(
        text: "The command \"\(verb.rawValue)\" takes no \"\(other)\""
          + (numbers.isEmpty ? "." : ", but \(numbers.map { "\"\($0)\"" }.joined(separator: " or "))."))
    }
    guard let counter = members[verb.rawValue]?.string, 1...200 ~= counter.utf8.count else {
      throw Fault(text: "The command \"\(verbs[0].rawValue)\" needs the name or the ID of a shared counter.")
    }
    self.counter = counter
    let member = verb == .correct ? "value" : "amount"
    let number = members[member]
    quantity = verb == .correct && number == nil ? members["quantity"]?.string : nil
    guard quantity.map({ 1...64 ~= $0.utf8.count }) ?? true else {
      throw Fault(text: "The \"quantity\" of a command is not a number.")
    }
    let least: Int64 = verb == .correct ? .min : 1
    guard number == nil && (verb != .correct || quantity != nil) || number?.int.map({ $0 >= least }) == true else {
      throw Fault(text: "The \"\(member)\" of a command is not a valid number.")
    }
    self.number = verb == .add || verb == .subtract || verb == .correct ? number?.int : nil
    switch members["id"] {
    case nil: id = nil
    case .string(let text)? where Self.isID(text): id = text
    case .int(let number)?: id = String(number)
    default:
      throw Fault(
        text:
          "The \"id\" of a command is not a text of at most \(RecentCommands.maximumLength) bytes without control characters."
      )
    }
  }

  /// The members that contain the number of a command.
  private static func numbers(of verb: Verb) -> [String] {
    switch verb {
    case .add, .subtract: ["amount"]
    case .correct: ["value", "quantity"]
    case .reset, .undo, .redo: []
    }
  }

  /// The prefix of a command's ID in the journal, where the ID is stored as the gesture of the event's cause.
  private static let mark = "command "
  /// The program in the cause of an event.
  public static let producer = "mqtt"

  private static func isID(_ text: String) -> Bool {
    1...RecentCommands.maximumLength ~= text.utf8.count
      && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7f...0x9f ~= $0.value) }
  }

  /// The ID of the command that made an event of the journal.
  public static func id(of event: Counters.Event) -> String? {
    guard event.cause.producer == producer, let gesture = event.cause.gesture, gesture.hasPrefix(mark) else {
      return nil
    }
    return String(gesture.dropFirst(mark.count))
  }

  /// The request to the core, for the local counter `name`.
  public func request(of name: String) -> Counters.Request<Counters.EventReply> {
    let request: Counters.Request<Counters.EventReply> =
      switch verb {
      case .add: .add(name, amount: number)
      case .subtract: .subtract(name, amount: number)
      case .correct: .correct(name, value: number, quantity: quantity)
      case .reset: .reset(name, confirmed: true)
      case .undo: .undo(name)
      case .redo: .redo(name)
      }
    return request.caused(by: .init(producer: Self.producer, gesture: id.map { Self.mark + $0 }))
  }
}
