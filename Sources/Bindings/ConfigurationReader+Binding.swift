import Gestures

extension ConfigurationReader {
  /// Reads the `[[bind]]` or `[[device.bind]]` tables, none of which may mean what another one means already.
  mutating func bindings(_ value: Value, of table: String) -> [Binding] {
    var bindings: [Binding] = []
    for (members, place) in tables("bind", value) {
      guard let binding = binding(members, of: table, at: place) else { continue }
      if let (earlier, key) = bindings.lazy.compactMap({ other in binding.clash(with: other).map { (other, $0) } })
        .first
      {
        fail(place, "\(binding.gesture.rawValue)\(name(of: key)) is bound already on line \(earlier.line ?? 0)")
        continue
      }
      bindings.append(binding)
    }
    return bindings
  }

  private mutating func binding(_ members: [Member], of table: String, at place: Place) -> Binding? {
    let errorsBefore = errors.count
    checkKeys(members, of: table, known: ["gesture", "key", "keys", "do"])
    var gesture: Gesture.Kind?
    var action: Action?
    var keys: [UInt16] = []
    for member in members {
      switch member.key {
      case "gesture": gesture = self.gesture(member.value)
      case "do": action = self.action(member.value)
      case "key": if let text = string("key", member.value) { keys += code(text, at: member.value.place) }
      case "keys": for (text, place) in strings("keys", member.value) { keys += code(text, at: place) }
      default: break
      }
    }
    let keyMembers = members.filter { $0.key == "key" || $0.key == "keys" }
    if keyMembers.count > 1 { fail(keyMembers[1].place, "key and keys cannot both be given", hint: "use keys alone") }
    if let gesture, gesture != .press, let member = keyMembers.first {
      fail(member.place, "a \(gesture.rawValue) has no \(member.key)", hint: "only a press has")
    }
    for key in ["gesture", "do"] where !members.contains(where: { $0.key == key }) {
      let kinds = Gesture.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      fail(
        place, "\(table) has no \"\(key)\"",
        hint: key == "do" ? "say what is to be done, such as do = \"add\"" : "gestures are \(kinds)")
    }
    guard errors.count == errorsBefore, let gesture, let action else { return nil }
    return Binding(gesture: gesture, keys: keys, action: action, line: place.line)
  }

  private mutating func gesture(_ value: Value) -> Gesture.Kind? {
    guard let text = string("gesture", value) else { return nil }
    if let kind = Gesture.Kind(rawValue: text) { return kind }
    let kinds = Gesture.Kind.allCases.map(\.rawValue)
    fail(
      value.place, "\"\(text)\" is no gesture",
      hint: Suggestion.phrase(for: text, among: kinds) ?? "gestures are \(kinds.joined(separator: ", "))")
    return nil
  }

  private mutating func action(_ value: Value) -> Action? {
    guard let text = string("do", value) else { return nil }
    do throws(Action.Problem) {
      return try Action(text)
    } catch {
      fail(value.place, error.reason, hint: error.hint)
      return nil
    }
  }

  private mutating func code(_ text: String, at place: Place) -> [UInt16] {
    guard let code = keys.code(text) else {
      let upper = text.uppercased()
      let spelt = [upper, "KEY_" + upper, "BTN_" + upper].first { keys.code($0) != nil }
      let guess = spelt ?? Suggestion.nearest(to: text, among: keys.known)
      fail(
        place, "\"\(text)\" is no key",
        hint: guess.map { "did you mean \"\($0)\"?" } ?? "keys have names such as KEY_B and BTN_LEFT")
      return []
    }
    guard Binding.isPressable(code) else {
      fail(place, "\(text) only says that something touches the surface", hint: "bind gesture = \"tap\" instead")
      return []
    }
    return [code]
  }

  private func name(of key: UInt16?) -> String {
    guard let key else { return "" }
    return " of \(keys.known.first { keys.code($0) == key } ?? "key \(key)")"
  }
}

extension Binding {
  /// Whether two bindings of one list mean the same gesture, and if so which key of it (nil: no key in particular).
  fileprivate func clash(with other: Binding) -> UInt16?? {
    guard gesture == other.gesture else { return nil }
    if keys.isEmpty, other.keys.isEmpty { return .some(nil) }
    return keys.first { other.keys.contains($0) }.map { .some($0) }
  }

  /// Whether a key of this code can be pressed, which BTN_TOUCH and BTN_TOOL_… cannot.
  fileprivate static func isPressable(_ code: UInt16) -> Bool { !EventCode.isTouchState(code) }
}
