import Gestures
import Toml

extension ConfigurationReader {
  mutating func timing(_ value: Value) -> TimingChanges {
    guard let members = table("timing", value, heading: "[timing]") else { return TimingChanges() }
    checkKeys(members, of: "[timing]", known: Timing.Setting.names + ["mode"])
    return settings(members)
  }

  /// Reads the settings among the members of a table.
  mutating func settings(_ members: [Member]) -> TimingChanges {
    var changes = TimingChanges()
    for member in members {
      if member.key == "mode" {
        let modes = Timing.Mode.allCases.map(\.rawValue).joined(separator: " or ")
        changes.mode = choice("mode", member.value, help: "it can be \(modes)")
      } else if let setting = Timing.Setting(rawValue: member.key) {
        changes.values[setting] = value(of: setting, member.value)
      }
    }
    return changes
  }

  /// Reads the settings for one gesture; each must apply to that gesture.
  mutating func settings(_ members: [Member], of gesture: Gesture.Kind) -> TimingChanges {
    for member in members {
      if member.key == "mode", !Timing.hasMode(gesture) {
        fail(
          member.place, "\"mode\" does not belong to \(gesture.rawValue)",
          hint: "it belongs to \(Self.gesturesWithMode)")
      } else if let setting = Timing.Setting(rawValue: member.key), !setting.concerns(gesture) {
        fail(member.place, "\(member.key) does not apply to a \(gesture.rawValue)")
      }
    }
    return settings(members)
  }

  private static let gesturesWithMode = Gesture.Kind.allCases.filter(Timing.hasMode).map(\.rawValue)
    .joined(separator: ", ")

  private mutating func value(of setting: Timing.Setting, _ value: Value) -> Double? {
    let name = setting.rawValue
    if case .boolean(false) = value.content, setting.canBeOff { return 0 }
    guard let number = number(name, value) else { return nil }
    guard setting.range.contains(number) else {
      let range = "\(Self.plain(setting.range.lowerBound)) to \(Self.plain(setting.range.upperBound))"
      let unit =
        switch setting.unit {
        case .seconds: "seconds"
        case .fraction: "of the screen"
        case .fractionPerSecond: "of the screen in a second"
        }
      // A number such as 400 is probably in milliseconds.
      let isInMilliseconds = setting.unit == .seconds && number >= 20 && setting.range.contains(number / 1000)
      fail(
        value.place, "\(name) is \(Self.plain(number)), but must be \(range) \(unit)",
        hint: isInMilliseconds ? "did you mean \(Self.plain(number / 1000))?" : nil)
      return nil
    }
    return number
  }

  private static func plain(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e15 ? String(Int64(number)) : String(number)
  }

  // MARK: Shakes

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
