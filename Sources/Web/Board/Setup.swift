public import CoreAPI
public import Counting
import JSON

/// A change of counters or groups by a page of a device that may set up.
public enum Setup: Sendable, Equatable {
  /// A counter with settings as a person writes them. Its group is created if it does not exist.
  case create(name: String, decimals: Int64, isStopwatch: Bool, settings: [Field: String])
  /// A formula, which has a value but no counts.
  case compute(name: String, settings: [Field: String])
  /// One setting of a counter or a formula as a person writes it; `nil` clears it.
  case set(counter: String, field: Field, text: String?)
  case move(counter: String, isUp: Bool)
  /// Moves a counter beside another one, into the group of that one.
  case place(counter: String, Counters.Place)
  /// Moves a counter into a group, which is created if it does not exist; `nil` for no group.
  case group(counter: String, name: String?)
  /// Deletes a counter or a formula; the undo of the event brings it back.
  case remove(counter: String)
  /// The title or a look of a group; `nil` clears it.
  case setGroup(name: String, field: Field, text: String?)

  /// The settings in the counter's unit that a page may change.
  static let amounts = Field.amounts.filter(\.isOnPage)

  /// Parses the body of `POST /setup`; `nil` for other members, and for settings that pages may not change.
  init?(_ object: JSONObject) {
    let (name, text) = (object["name"]?.string, object["text"]?.string)
    guard let name else { return nil }
    switch object["do"]?.string {
    case "create":
      let decimals = object["decimals"]?.int ?? 0
      guard 0...9 ~= decimals, let settings = Self.settings(object) else { return nil }
      self = .create(
        name: name, decimals: decimals, isStopwatch: object["stopwatch"]?.bool ?? false, settings: settings)
    case "compute":
      guard let settings = Self.settings(object), settings[.formula] != nil else { return nil }
      self = .compute(name: name, settings: settings)
    case "remove": self = .remove(counter: name)
    case "set":
      guard let field = object["field"]?.string.flatMap(Field.init), field.isOnPage else { return nil }
      self = .set(counter: name, field: field, text: text)
    case "setGroup":
      guard let field = object["field"]?.string.flatMap(Field.init), field.isOnPage, field.isOfGroups, field != .name
      else { return nil }
      self = .setGroup(name: name, field: field, text: text)
    case "up": self = .move(counter: name, isUp: true)
    case "down": self = .move(counter: name, isUp: false)
    case "before", "after":
      guard let text else { return nil }
      self = .place(counter: name, object["do"]?.string == "before" ? .before(text) : .after(text))
    case "group": self = .group(counter: name, name: text)
    default: return nil
    }
  }

  /// The settings of a new counter or formula; `nil` for those that pages may not change.
  private static func settings(_ object: JSONObject) -> [Field: String]? {
    var settings: [Field: String] = [:]
    for (name, value) in object["settings"]?.object ?? [:] {
      guard let field = Field(rawValue: name), field.isOnPage || field == .group, field != .name,
        let text = value.string
      else { return nil }
      settings[field] = text
    }
    return settings
  }

  private typealias Requests = [Counters.Request<Counters.EventReply>]

  /// The requests that create the group of a new counter, if it does not exist.
  private static func newGroup(_ settings: [Field: String], _ state: BoardState) -> Requests {
    guard let group = settings[.group], !group.isEmpty, !state.groups.contains(where: { $0.name == group }) else {
      return []
    }
    return [.createGroup(group)]
  }

  private static func values(_ settings: [Field: String], _ unit: Unit) throws(Routes.Refusal) -> [Field: Field.Value] {
    var values: [Field: Field.Value] = [:]
    for (field, text) in settings { values[field] = try value(field, text, unit) }
    return values
  }

  /// The requests to the core, in their order.
  ///
  /// - Throws: status 422 for an invalid amount, a counter that does not exist, and a move beyond the end.
  public func requests(in state: BoardState) throws(Routes.Refusal) -> [Counters.Request<Counters.EventReply>] {
    switch self {
    case .create(let name, let decimals, let isStopwatch, let settings):
      let values = try Self.values(settings, isStopwatch ? .time : .decimal(decimals))
      return Self.newGroup(settings, state)
        + [.create(name, decimals: decimals, isStopwatch: isStopwatch, values)]
    case .compute(let name, let settings):
      return Self.newGroup(settings, state) + [.createFormula(name, try Self.values(settings, .things))]
    case .remove(let name): return [.remove(name)]
    case .setGroup(let name, let field, let text):
      return [.setGroup(name, [field: try Self.value(field, text, .things)])]
    case .set(let name, let field, let text) where state.formulas.contains { $0.name == name }:
      guard field.isOfFormulas else { throw Self.notOfThis }
      return [.setFormula(name, [field: try Self.value(field, text, .things)])]
    case .set(let name, let field, let text):
      let counter = try Self.counter(name, state)
      guard field.isOfCounters else { throw Self.notOfThis }
      return [.set(name, [field: try Self.value(field, text, counter.unit)])]
    case .place(let counter, let place): return [.move(counter, to: place)]
    case .group(let formula, let group) where state.formulas.contains { $0.name == formula }:
      let isKnown = group == nil || state.groups.contains { $0.name == group }
      return (isKnown ? [] : [.createGroup(group ?? "")]) + [.setFormula(formula, [.group: Field.Value(group ?? "")])]
    case .group(let counter, let group):
      guard let group else { return [.move(counter, to: .last, group: "")] }
      // Checked before the group is created: otherwise an error would leave the group without the counter.
      _ = try Self.counter(counter, state)
      let isKnown = state.groups.contains { $0.name == group }
      return (isKnown ? [] : [.createGroup(group)]) + [.move(counter, to: .last, group: group)]
    case .move(let name, let isUp):
      let counter = try Self.counter(name, state)
      let members = state.counters.filter { $0.group == counter.group && !$0.isArchived }
      guard let place = members.firstIndex(where: { $0.id == counter.id }) else { throw Self.noPlace }
      let other = isUp ? place - 1 : place + 1
      guard members.indices.contains(other) else { throw Self.noPlace }
      return [.move(name, to: isUp ? .before(members[other].name) : .after(members[other].name))]
    }
  }

  private static let noPlace = Routes.Refusal(content: .refusal(422, "place", "The counter is at the end already."))

  private static let notOfThis = Routes.Refusal(content: .refusal(422, "field", "It has no such setting."))

  private static func counter(_ name: String, _ state: BoardState) throws(Routes.Refusal) -> Counters.Counter {
    guard let counter = state.counters.first(where: { $0.name == name }) else {
      throw Routes.Refusal(content: .refusal(422, "gone", "There is no counter called “\(name)” any more."))
    }
    return counter
  }

  private static func value(_ field: Field, _ text: String?, _ unit: Unit) throws(Routes.Refusal) -> Field.Value {
    guard let text, !text.isEmpty else { return .none }
    switch field.kind {
    case .flag: return .integer(text == "yes" ? 1 : 0)
    case .amount:
      do throws(CountingError) {
        return .integer(try unit.number(text))
      } catch {
        throw Routes.Refusal(content: .refusal(422, "number", error.message))
      }
    default: return .text(text)
    }
  }
}
