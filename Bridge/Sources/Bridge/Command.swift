import Fleet
public import Varlink

/// A command from the broker: `{"id":"7","add":"people","amount":2}`.
///
/// The verbs are `add`, `subtract`, `reset`, `undo`, `redo` and `correct` (with `value`); the counter is a shared one, by
/// name or ID. Amounts are in the counter's unit.
public struct Command: Equatable, Sendable {
  public enum Verb: String, CaseIterable, Sendable {
    case add, subtract, reset, undo, redo, correct
  }

  public let verb: Verb
  /// A name, or the ID of a shared counter.
  public let counter: String
  /// The amount, or the value of a correction.
  public let number: Int64?
  /// Repeats of a command have the same ID.
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
    guard let counter = members[verb.rawValue]?.string, 1...200 ~= counter.utf8.count else {
      throw Fault(text: "The command \"\(verbs[0].rawValue)\" needs the name or the ID of a shared counter.")
    }
    self.counter = counter
    let member = verb == .correct ? "value" : "amount"
    let number = members[member]
    let least: Int64 = verb == .correct ? .min : 1
    guard number == nil && verb != .correct || number?.int.map({ $0 >= least }) == true else {
      throw Fault(text: "The \"\(member)\" of a command is not a valid number.")
    }
    self.number = verb == .add || verb == .subtract || verb == .correct ? number?.int : nil
    switch members["id"] {
    case nil: id = nil
    case .string(let text)? where 1...RecentCommands.maximumLength ~= text.utf8.count: id = text
    case .int(let number)?: id = String(number)
    default: throw Fault(text: "The \"id\" of a command is not a text of at most 128 bytes.")
    }
  }

  /// The method of the core and its parameters, for the counter of that name here.
  public func call(of name: String) -> (method: String, parameters: JSONObject) {
    var parameters: JSONObject = [verb == .undo || verb == .redo ? "counter" : "name": .string(name)]
    parameters["cause"] = ["producer": "mqtt"]
    switch verb {
    case .add, .subtract: parameters["amount"] = number.map(JSON.int)
    case .correct: parameters["value"] = number.map(JSON.int)
    case .reset: parameters["confirmed"] = true
    case .undo, .redo: break
    }
    return (verb.rawValue.prefix(1).uppercased() + verb.rawValue.dropFirst(), parameters)
  }
}
