import Gestures
import Toml

/// The parts of a screen that bindings can name: zones, and the cells of a grid.
struct Screen {
  var zones: [Zone]
  var grid: (columns: Int, rows: Int)?

  static let standard = Screen(zones: Zone.halves)
  /// The maximum number of columns or rows, because a finger cannot hit smaller cells.
  static let mostCells = 32
}

extension ConfigurationReader {
  /// Reads the screen settings among the members of a table. The settings of the surrounding table stay in force.
  mutating func screen(_ members: [Member], within outer: Screen) -> Screen {
    var screen = outer
    for member in members {
      switch member.key {
      case "zones": screen.zones = zones(member.value) + outer.zones
      case "grid": screen.grid = grid(member.value) ?? outer.grid
      default: break
      }
    }
    return screen
  }

  mutating func grid(_ value: Value) -> (columns: Int, rows: Int)? {
    pair(
      "grid", value, upTo: (Screen.mostCells, Screen.mostCells), hint: "columns and rows, such as grid = [3, 2]")
  }

  private mutating func zones(_ value: Value) -> [Zone] {
    guard let members = table("zones", value, heading: "[zones]") else { return [] }
    guard members.count <= Self.mostTables else {
      fail(
        members[Self.mostTables].place,
        "there are \(members.count) zones in one table, and there can be at most \(Self.mostTables)")
      return []
    }
    return members.compactMap { zone($0) }
  }

  private static let sides = ["left", "top", "right", "bottom"]

  private mutating func zone(_ member: Member) -> Zone? {
    guard !Zone.halves.contains(where: { $0.name == member.key }) else {
      fail(member.place, "\(member.key) is a half of the screen already and can be no other zone")
      return nil
    }
    guard case .table(let members) = member.value.content else {
      fail(
        member.value.place, "a zone must be a table, and this is \(member.value.kind)",
        hint: "\(member.key) = { left = 0.0, top = 0.0, right = 0.5, bottom = 1.0 }")
      return nil
    }
    let errorsBefore = errors.count
    checkKeys(members, of: "a zone", known: Self.sides)
    var sides: [String: Double] = ["left": 0, "top": 0, "right": 1, "bottom": 1]
    for side in members where Self.sides.contains(side.key) {
      guard let number = number(side.key, side.value) else { continue }
      guard 0...1 ~= number else {
        fail(
          side.value.place, "\(side.key) is outside the screen, which reaches from 0 to 1",
          hint: 2...100 ~= number && number == number.rounded() ? "did you mean \(number / 100)?" : nil)
        continue
      }
      sides[side.key] = number
    }
    guard errors.count == errorsBefore else { return nil }
    let zone = Zone(
      name: member.key, left: sides["left"] ?? 0, top: sides["top"] ?? 0, right: sides["right"] ?? 1,
      bottom: sides["bottom"] ?? 1)
    if zone == nil {
      fail(member.value.place, "the zone \(member.key) is empty", hint: "left is less than right, and top than bottom")
    }
    return zone
  }
}
