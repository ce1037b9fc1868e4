import Counting
import Varlink

/// The entries that create the groups, stopwatches and formulas of a file of values, so that the values can be set after it.
/// A counter that exists already stays as it is.
final class ValueDefinitions {
  private var groups: [String: Int64] = [:]
  private var lastID: Int64 = 0
  /// The texts that names were made from.
  private var origins: [Kind: [String: String]] = [:]

  /// What a name belongs to: counters and formulas share their names, groups have their own.
  enum Kind {
    case counter
    case group
  }

  /// Another text of the file has become the same name.
  struct Clash: Error {
    let name: String
    /// The text that had the name first.
    let first: String
  }

  /// The name for a text of the file, which may be no name itself.
  ///
  /// - Throws: a ``Clash`` if the name was made from another text: their values would replace each other.
  func name(_ text: String, of kind: Kind) throws(Clash) -> String {
    let name = ImportFile.name(text)
    let first = origins[kind, default: [:]][name] ?? text
    guard first == text else { throw Clash(name: name, first: first) }
    origins[kind, default: [:]][name] = text
    return name
  }

  /// The entries for one value: its group where it comes up first, and the counter, if it needs more than a name.
  func entries(name: String, title: String?, group: String?, isStopwatch: Bool, decimals: Int) -> [JSON] {
    guard group != nil || isStopwatch else { return [] }
    var entries = entries(ofGroup: group)
    var counter: JSONObject = ["name": .string(name), "value": 0, "start": 0]
    if let group { counter["group"] = groups[group].map(JSON.int) }
    counter["id"] = .int(nextID())
    if let title { counter["title"] = .string(title) }
    if isStopwatch { counter["kind"] = "stopwatch" }
    if decimals > 0, !isStopwatch { counter["decimals"] = .int(Int64(decimals)) }
    counter["step"] = .int(isStopwatch ? 1_000_000 : (0..<decimals).reduce(1) { step, _ in step * 10 })
    entries.append(["counter": .object(counter)])
    return entries
  }

  /// The entries for a formula, and for its group where it comes up first. Its value follows from the counters.
  ///
  /// - Parameter members: the members of the formula in the interface; those that are no settings are left out.
  func entries(ofFormula members: JSONObject, group: String?) -> [JSON] {
    var formula: JSONObject = ["id": .int(nextID())]
    for name in ["name", "formula", "display", "title", "colour", "icon", "note"] {
      if let text = members[name]?.string, !text.isEmpty { formula[name] = .string(text) }
    }
    if members["archived"]?.bool ?? false { formula["archived"] = 1 }
    let entries = entries(ofGroup: group)
    if let group { formula["group"] = groups[group].map(JSON.int) }
    return entries + [["formula": .object(formula)]]
  }

  private func entries(ofGroup group: String?) -> [JSON] {
    guard let group, groups[group] == nil else { return [] }
    let id = nextID()
    groups[group] = id
    return [["group": ["id": .int(id), "name": .string(group)]]]
  }

  private func nextID() -> Int64 {
    lastID += 1
    return lastID
  }
}
