import Counting
import JSON

/// Creates the groups, stopwatches and formulas of a file of values, so that the values can be set afterwards. An
/// existing counter stays as it is.
final class ValueDefinitions {
  private var groups: [String: Int64] = [:]
  private var lastID: Int64 = 0
  /// The names of the counters that are defined.
  private var counters: Set<String> = []
  /// The texts from which names were made.
  private var origins: [Kind: [String: String]] = [:]

  /// The kind of entity with a name: counters and formulas share one namespace, groups have another.
  enum Kind {
    case counter
    case group
  }

  /// The name for a text of the file, which may itself be no valid name.
  ///
  /// - Throws: a ``ImportFile/Fault`` if the name was made from another text: their values would replace each other.
  func name(_ text: String, of kind: Kind, line: Int) throws(ImportFile.Fault) -> String {
    let name = CounterName.text(like: text)
    let first = origins[kind, default: [:]][name] ?? text
    guard first == text else {
      throw .init(line: line, reason: "“\(first.shortened)” and “\(text.shortened)” would both become “\(name)”")
    }
    origins[kind, default: [:]][name] = text
    return name
  }

  /// The entries for a counter and its group, each at its first occurrence.
  ///
  /// - Parameters:
  ///   - members: the members of the counter in the interface; those that are no settings are left out.
  ///   - line: the line of the file.
  func counter(_ members: JSONObject, group: String?, line: Int) -> [JSON] {
    guard let name = members["name"]?.string, counters.insert(name).inserted else { return [] }
    let isStopwatch = members["kind"]?.string == "stopwatch"
    let decimals = isStopwatch ? 0 : min(9, max(0, members["decimals"]?.int ?? 0))
    var counter: JSONObject = ["id": .int(nextID()), "name": .string(name), "value": 0, "start": 0]
    counter["value"] = members["value"]?.int.map(JSON.int) ?? 0
    for field in Field.options {
      switch members[field.rawValue] {
      case .string(let text) where !text.isEmpty: counter[field.rawValue] = .string(text)
      case .int(let number): counter[field.rawValue] = .int(number)
      case .bool(true): counter[field.rawValue] = 1
      case .array(let words) where !words.isEmpty:
        counter[field.rawValue] = .string(words.compactMap(\.string).joined(separator: " "))
      default: break
      }
    }
    if counter["step"] == nil {
      counter["step"] = .int(isStopwatch ? 1_000_000 : (0..<decimals).reduce(1) { step, _ in step * 10 })
    }
    if isStopwatch { counter["kind"] = "stopwatch" }
    if decimals > 0 { counter["decimals"] = .int(decimals) }
    if members["locked"]?.bool ?? false { counter["locked"] = true }
    if members["archived"]?.bool ?? false { counter["archived"] = 1 }
    if members["current"]?.bool ?? false { counter["current"] = true }
    let entries = entries(ofGroup: group, members)
    counter["group"] = group.flatMap { groups[$0] }.map(JSON.int)
    return (entries + [["counter": .object(counter)]]).map { $0.stating(line: line) }
  }

  /// The entries for a formula, and for its group at its first occurrence. The value follows from the counters.
  ///
  /// - Parameters:
  ///   - members: the members of the formula in the interface; those that are no settings are left out.
  ///   - line: the line of the file.
  func entries(ofFormula members: JSONObject, group: String?, line: Int) -> [JSON] {
    var formula: JSONObject = ["id": .int(nextID())]
    for name in ["name", "formula", "display", "title", "colour", "icon", "note"] {
      if let text = members[name]?.string, !text.isEmpty { formula[name] = .string(text) }
    }
    if members["archived"]?.bool ?? false { formula["archived"] = 1 }
    let entries = entries(ofGroup: group, members)
    if let group { formula["group"] = groups[group].map(JSON.int) }
    return (entries + [["formula": .object(formula)]]).map { $0.stating(line: line) }
  }

  /// - Parameter members: the members of the group's first counter or formula, which include the looks of the group.
  private func entries(ofGroup group: String?, _ members: JSONObject) -> [JSON] {
    guard let group, groups[group] == nil else { return [] }
    let id = nextID()
    groups[group] = id
    var entry: JSONObject = ["id": .int(id), "name": .string(group)]
    for look in Group.looks {
      if let text = members[Group.member(of: look)]?.string, !text.isEmpty { entry[look.rawValue] = .string(text) }
    }
    return [["group": .object(entry)]]
  }

  private func nextID() -> Int64 {
    lastID += 1
    return lastID
  }
}
