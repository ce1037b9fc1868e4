import Gestures
import Toml

extension ConfigurationReader {
  /// Reads `[shake]` or `[device.shake]`.
  mutating func shake(_ value: Value, of table: String) -> ShakeChanges {
    guard let members = self.table("shake", value, heading: table) else { return ShakeChanges() }
    checkKeys(members, of: table, known: ["sensitivity"] + ShakeParameters.names)
    var changes = ShakeChanges()
    for member in members {
      if member.key == "sensitivity" {
        changes.sensitivity = choice("sensitivity", member.value)
      } else if ShakeParameters.names.contains(member.key) {
        changes.values[member.key] = parameter(member.key, member.value)
      }
    }
    checkStrokes(changes, members)
    return changes
  }

  private mutating func parameter(_ name: String, _ value: Value) -> Double? {
    guard let number = number(name, value) else { return nil }
    var parameters = ShakeParameters.firm
    do throws(ShakeParameters.Problem) {
      try parameters.set(name, to: number)
      return number
    } catch {
      fail(value.place, "\(error)")
      return nil
    }
  }

  /// Refuses limits that exclude each other: no stroke would satisfy both, and no shake would ever count.
  private mutating func checkStrokes(_ changes: ShakeChanges, _ members: [Member]) {
    let parameters = changes.applied(to: .firm)
    guard parameters.shortestStroke >= parameters.longestStroke,
      let member = members.last(where: { ["shortest-stroke", "longest-stroke"].contains($0.key) })
    else { return }
    fail(
      member.value.place,
      "shortest-stroke is \(parameters.shortestStroke) and longest-stroke \(parameters.longestStroke), so that no stroke "
        + "lies between them")
  }
}
