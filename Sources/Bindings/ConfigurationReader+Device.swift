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

  private static let mountingKeys = ["rotate", "invert-x", "invert-y", "swap-xy", "calibration"]
  private static let ruleKeys =
    conditionKeys + ["grab", "ignore", "bind", "shake", "zones", "grid", "mode"] + mountingKeys
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
      conditions: conditions, grab: flag(&self, "grab"), isIgnored: isIgnored, timing: settings(members),
      shake: shake.map { self.shake($0.value, of: "[device.shake]") } ?? ShakeChanges(),
      calibration: calibration(members),
      bindings: bind.map { bindings($0.value, of: "[[device.bind]]", on: own) } ?? [], line: place.line)
  }

  /// How the surface is mounted; nil where nothing is said about it.
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
}
