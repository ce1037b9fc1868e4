import Gestures
import Toml

extension ConfigurationReader {
  /// Reads the `[[device]]` tables.
  mutating func rules(_ value: Value, on screen: Screen) -> [DeviceRule] {
    var rules: [DeviceRule] = []
    for (members, place) in tables("device", value) {
      checkKeys(members, of: "[[device]]", known: Self.ruleKeys)
      let rule = rule(members, at: place, on: screen)
      if let earlier = rules.first(where: { $0.conditions == rule.conditions && rule.conditions.isTelling }) {
        fail(place, "the same device is described already on line \(earlier.line)")
      }
      rules.append(rule)
    }
    return rules
  }

  /// Reads `[touchscreens]`: whether touchscreens are used that no `[[device]]` names.
  mutating func touchscreens(_ value: Value) -> Bool {
    guard let members = table("touchscreens", value, heading: "[touchscreens]") else { return false }
    checkKeys(members, of: "[touchscreens]", known: ["use"])
    return members.first { $0.key == "use" }.flatMap { boolean("use", $0.value) } ?? false
  }

  private static let mountingKeys = ["rotate", "invert-x", "invert-y", "swap-xy", "calibration"]
  private static let ruleKeys =
    conditionKeys + ["size-mm", "grab", "connect", "ignore", "bind", "shake", "zones", "grid", "mode"] + mountingKeys
    + Timing.Setting.allCases.map(\.rawValue)

  private mutating func rule(_ members: [Member], at place: Place, on screen: Screen) -> DeviceRule {
    let conditions = conditions(members, of: "[[device]]", at: place)
    let flag = { (reader: inout Self, key: String) -> Bool in
      members.first { $0.key == key }.flatMap { reader.boolean(key, $0.value) } ?? false
    }
    let isIgnored = flag(&self, "ignore")
    if isIgnored, let other = members.first(where: { !Self.conditionKeys.contains($0.key) && $0.key != "ignore" }) {
      fail(other.place, "a device that is ignored has no \"\(other.key)\"")
    }
    let own = self.screen(members, within: screen)
    let bind = members.first { $0.key == "bind" }
    let shake = members.first { $0.key == "shake" }
    return DeviceRule(
      conditions: conditions, grab: flag(&self, "grab"), isIgnored: isIgnored,
      countsConnecting: countsConnecting(members), timing: settings(members),
      shake: shake.map { self.shake($0.value, of: "[device.shake]") } ?? ShakeChanges(),
      calibration: calibration(members), size: size(members),
      bindings: bind.map { bindings($0.value, of: "[[device.bind]]", on: own) } ?? [], line: place.line)
  }

  /// Reads `connect = "press"`.
  private mutating func countsConnecting(_ members: [Member]) -> Bool {
    guard let member = members.first(where: { $0.key == "connect" }), let text = string("connect", member.value) else {
      return false
    }
    if text != "press" { fail(member.value.place, "connect can only be \"press\", and this is \"\(text)\"") }
    return true
  }

  /// The size of the surface; nil if the members do not set it.
  private mutating func size(_ members: [Member]) -> PhysicalSize? {
    guard let member = members.first(where: { $0.key == "size-mm" }) else { return nil }
    let hint = "width and height in millimetres, 40 to 4000 each, such as size-mm = [531, 299]"
    guard case .array(let values) = member.value.content, values.count == 2 else {
      fail(member.value.place, "size-mm must be two numbers", hint: hint)
      return nil
    }
    let sides = values.compactMap { number("size-mm", $0) }
    guard sides.count == 2 else { return nil }
    if let size = PhysicalSize(width: sides[0], height: sides[1]) { return size }
    fail(member.value.place, "no touch surface has this size", hint: hint)
    return nil
  }

  /// The mounting of the surface; nil if the members do not set it.
  private mutating func calibration(_ members: [Member]) -> Calibration? {
    let said = members.filter { Self.mountingKeys.contains($0.key) }
    guard !said.isEmpty else { return nil }
    if let matrix = said.first(where: { $0.key == "calibration" }) {
      if let other = said.first(where: { $0.key != "calibration" }) {
        fail(other.place, "calibration and \(other.key) cannot both be given")
      }
      guard let text = string("calibration", matrix.value) else { return nil }
      if let calibration = Calibration(matrix: text) { return calibration }
      fail(
        matrix.value.place, "\"\(text)\" is no calibration",
        hint:
          "it has six numbers, row by row, as LIBINPUT_CALIBRATION_MATRIX has: \"0 -1 1 1 0 0\" is a turn to the right")
      return nil
    }
    var turn = Calibration.Turn.none
    if let rotate = said.first(where: { $0.key == "rotate" }) {
      guard case .integer(let degrees) = rotate.value.content, let known = Calibration.Turn(rawValue: Int(degrees))
      else {
        fail(rotate.value.place, "rotate can be 90, 180 or 270, clockwise, and 0")
        return nil
      }
      turn = known
    }
    let flag = { (reader: inout Self, key: String) -> Bool in
      said.first { $0.key == key }.flatMap { reader.boolean(key, $0.value) } ?? false
    }
    return Calibration(
      swapsAxes: flag(&self, "swap-xy"), invertsX: flag(&self, "invert-x"), invertsY: flag(&self, "invert-y"),
      turn: turn)
  }

  /// Reads a `[[device]]` table of the list of known devices.
  mutating func knownDevice(_ members: [Member], at place: Place) -> KnownDevice? {
    checkKeys(members, of: "[[device]]", known: ["title", "kind", "source"] + Self.conditionKeys)
    let conditions = conditions(members, of: "[[device]]", at: place)
    let title = members.first { $0.key == "title" }.flatMap { string("title", $0.value) }
    let kind = members.first { $0.key == "kind" }.flatMap { string("kind", $0.value) }
    let source = members.first { $0.key == "source" }.flatMap { string("source", $0.value) }
    guard let title, let source, let kind = kind.flatMap({ KnownDevice.Kind(rawValue: $0) }) else {
      let kinds = KnownDevice.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      fail(place, "[[device]] needs a title, a kind and a source", hint: "kinds are \(kinds)")
      return nil
    }
    return KnownDevice(title: title, kind: kind, conditions: conditions, source: source)
  }
}
