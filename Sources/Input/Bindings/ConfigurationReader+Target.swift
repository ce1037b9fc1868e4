import Gestures
import Text
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
  /// Reads the part of the device with which a gesture is made, and the place on it.
  mutating func target(
    of gesture: Gesture.Kind, _ members: [Member], at place: Place, on screen: Screen
  ) -> Interest.Target? {
    let errorsBefore = errors.count
    let ofKeys = members.filter { Self.keyKeys.contains($0.key) }
    let ofTouch = members.filter { ["fingers", "zone", "grid", "cell"].contains($0.key) }
    if let member = ofKeys.first, !gesture.means.contains(.key) {
      fail(member.place, "a \(gesture.rawValue) has no \(member.key)", hint: "only what is done with keys has")
    }
    if let member = ofTouch.first, !gesture.means.contains(.touch) {
      fail(member.place, "a \(gesture.rawValue) has no \(member.key)", hint: "only what is done on a touch surface has")
    }
    if let one = ofKeys.first, let other = ofTouch.first, gesture == .longPress {
      fail(other.place, "\(one.key) and \(other.key) cannot both be given", hint: "a key has no place on a screen")
    }
    guard errors.count == errorsBefore else { return nil }
    let target: Interest.Target
    if gesture.means.contains(.key), !ofKeys.isEmpty || !gesture.means.contains(.touch) {
      target = keys(ofKeys)
      if gesture == .chord, case .keys(let codes, let scans) = target, codes.count + scans.count < 2 {
        fail(place, "a chord needs two keys or more", hint: "keys = [\"KEY_A\", \"KEY_B\"]")
      }
    } else if gesture.means.contains(.touch) {
      target = touch(ofTouch, on: screen)
    } else {
      target = gesture.means.contains(.motion) ? .motion : .wheel
    }
    return errors.count == errorsBefore ? target : nil
  }

  // MARK: Touch surfaces

  private mutating func touch(_ members: [Member], on screen: Screen) -> Interest.Target {
    let value = { (key: String) in members.first { $0.key == key }?.value }
    let fingers = value("fingers").flatMap { integer("fingers", $0, in: 1...5) } ?? 1
    var zone: Zone?
    if let name = value("zone") {
      if let other = members.first(where: { $0.key == "grid" || $0.key == "cell" }) {
        fail(other.place, "zone and \(other.key) cannot both be given")
      }
      zone = self.zone(name, on: screen)
    } else if value("grid") != nil || value("cell") != nil {
      zone = cell(value("cell"), of: value("grid"), on: screen, at: members[0].place)
    }
    return .touch(fingers: fingers, zone: zone)
  }

  private mutating func zone(_ value: Value, on screen: Screen) -> Zone? {
    guard let name = string("zone", value) else { return nil }
    if let zone = screen.zones.first(where: { $0.name == name }) { return zone }
    let names = screen.zones.map(\.name)
    fail(
      value.place, "there is no zone \"\(name)\"",
      hint: Suggestion.phrase(for: name, among: names) ?? "there are \(names.joined(separator: ", "))")
    return nil
  }

  private mutating func cell(_ cell: Value?, of grid: Value?, on screen: Screen, at place: Place) -> Zone? {
    guard let grid = grid.map({ self.grid($0) }) ?? screen.grid else {
      if grid == nil { fail(place, "a cell needs a grid", hint: "grid = [3, 2]") }
      return nil
    }
    guard let cell else {
      fail(place, "a grid needs a cell", hint: "cell = [1, 1] is the upper left one")
      return nil
    }
    let hint = "column and row, counted from the upper left one, which is [1, 1]"
    guard let (column, row) = pair("cell", cell, upTo: grid, hint: hint) else { return nil }
    return Zone(column: column, row: row, of: grid)
  }

  // MARK: Keys

  static let keyKeys = ["key", "keys", "scan"]

  mutating func keys(_ members: [Member]) -> Interest.Target {
    var codes: [UInt16] = []
    var scans: [UInt32] = []
    for member in members {
      switch member.key {
      case "key": if let text = string("key", member.value) { codes += code(text, at: member.value.place) }
      case "keys": for (text, place) in strings("keys", member.value) { codes += code(text, at: place) }
      default: scans += scan(member.value)
      }
    }
    if members.count(where: { $0.key != "scan" }) > 1 {
      fail(
        members.last { $0.key != "scan" }?.place ?? members[0].place, "key and keys cannot both be given",
        hint: "use keys alone")
    }
    return .keys(codes: codes, scans: scans)
  }

  /// Reads a device's scan codes: numbers in TOML (0x7004b), or hexadecimal digits as printed by evtest.
  private mutating func scan(_ value: Value) -> [UInt32] {
    let values = if case .array(let values) = value.content { values } else { [value] }
    if values.isEmpty { fail(value.place, "scan is an empty list") }
    return values.compactMap { value in
      let number: UInt32? =
        switch value.content {
        case .integer(let number): UInt32(exactly: number)
        case .string(let text): UInt32(text, radix: 16)
        default: nil
        }
      if number == nil {
        fail(value.place, "scan must be a number such as 0x7004b, as monitor shows it")
      }
      return number
    }
  }

  private mutating func code(_ text: String, at place: Place) -> [UInt16] {
    guard let code = keys.code(text) else {
      fail(
        place, "\"\(text)\" is not the name of a key",
        hint: keys.guess(for: text).map { "did you mean \"\($0)\"?" } ?? "keys have names such as KEY_B and BTN_LEFT")
      return []
    }
    guard !EventCode.isTouchState(code) else {
      fail(place, "\(text) only says that something touches the surface", hint: "bind gesture = \"tap\" instead")
      return []
    }
    return [code]
  }

  // MARK: Screens

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
