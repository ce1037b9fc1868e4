import CoreAPI
import Counting
import JSON
import Linux
import Varlink

extension Arguments {
  /// The settings of a counter, group or formula in the call. Fields listed in `clear` get the value `none`.
  ///
  /// - Parameter selector: a parameter that names the target, although a setting has the same name.
  func settings(without selector: Counters.Parameter? = nil) throws(VarlinkError) -> Settings {
    var settings: Settings = [:]
    for field in Field.allCases where field.isSetting && field.rawValue != selector?.rawValue.text {
      guard let name = Counters.Parameter(of: field) else { continue }
      switch self[name] {
      case .int(let number): settings[field] = .integer(number)
      case .string(let text): settings[field] = .text(text)
      case .bool(let isSet): settings[field] = .integer(isSet ? 1 : 0)
      case .array(let words): settings[field] = .text(try self.words(words, name).joined(separator: " "))
      default: break
      }
    }
    for case .string(let name) in self[.clear]?.array ?? [] {
      guard let field = Field(rawValue: name), field.isSetting, field != .name else { throw invalid(.clear) }
      // A call may set or clear a field, not both.
      guard settings[field] == nil else { throw invalid(.clear) }
      settings[field] = Field.Value.none
    }
    return settings
  }

  private func words(_ words: [JSON], _ name: Counters.Parameter) throws(VarlinkError) -> [String] {
    let texts = words.compactMap(\.string)
    guard texts.allSatisfy({ !$0.isEmpty && !$0.contains(" ") }) else { throw invalid(name) }
    return texts
  }

  /// An undo of one event, of the last event of a counter, or of the last event of all counters.
  func undo() throws(VarlinkError) -> Request.Verb {
    switch (integer(.sequence), text(.counter)) {
    case (let sequence?, nil): .undoEvent(sequence)
    case (nil, let name): .undo(name)
    case (.some, .some): throw invalid(.sequence)
    }
  }

  func isStopwatch() throws(VarlinkError) -> Bool {
    switch text(.kind) {
    case nil, "simple": return false
    case "goal":
      guard self[.target] != nil else { throw invalid(.target) }
      return false
    case "stopwatch": return true
    default: throw invalid(.kind)
    }
  }

  /// The amount, in the counter's unit or as text; `nil` if neither is given.
  func quantity(_ name: Counters.Parameter) throws(VarlinkError) -> Quantity? {
    switch (integer(name), text(.quantity)) {
    case (let number?, nil): return .units(number)
    case (nil, let text): return text.map(Quantity.text)
    case (.some, .some): throw invalid(.quantity)
    }
  }

  func needed<Value>(_ value: Value?, _ name: Counters.Parameter) throws(VarlinkError) -> Value {
    guard let value else { throw invalid(name) }
    return value
  }

  /// The counters of a reset: `group`, `all`, the named counter or the current one.
  func scope() throws(VarlinkError) -> Change.Scope {
    switch (text(.counter), text(.group), self[.all]?.bool ?? false) {
    case (_, nil, false): return .one(target(.counter))
    case (nil, let group?, false): return .group(group)
    case (nil, nil, true): return .all
    default: throw invalid(.all)
    }
  }

  /// A change of stopwatches. The call names the stopwatches by the same parameters as the counters of a reset.
  func clock(_ verb: Change.StopwatchVerb) throws(VarlinkError) -> Change {
    switch try scope() {
    case .one(let target): .clock(target, verb)
    case .group(let group): .clockAll(ofGroup: group, verb)
    case .all: .clockAll(ofGroup: nil, verb)
    }
  }

  /// The new position of a counter or a formula. Its neighbour there names the group.
  func place() throws(VarlinkError) -> Change.Place {
    let place = try placeAmongGroups()
    switch place {
    case .before, .after: guard text(.group) == nil else { throw invalid(.group) }
    case .first, .last: break
    }
    return place
  }

  /// The new position of a group.
  func placeAmongGroups() throws(VarlinkError) -> Change.Place {
    switch (text(.before), text(.after), self[.first]?.bool ?? false) {
    case (let before?, nil, false): return .before(before)
    case (nil, let after?, false): return .after(after)
    case (nil, nil, true): return .first(of: text(.group))
    case (nil, nil, false): return .last(of: text(.group))
    default: throw invalid(.after)
    }
  }

  /// The time of a change: `time` (which must not be in the future) or the present; and whether the change is late.
  func time() throws(VarlinkError) -> (time: Int64, isLate: Bool) {
    let now = Clock.microsecondsSince1970()
    guard let time = integer(.time) else { return (now, false) }
    guard 0...now ~= time else { throw invalid(.time) }
    return (time, now - time > Event.shortestLateness)
  }
}
