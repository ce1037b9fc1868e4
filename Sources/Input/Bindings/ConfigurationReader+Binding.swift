import Gestures
import Toml

extension ConfigurationReader {
  /// Reads the `[[bind]]` or `[[device.bind]]` tables. Two bindings for the same gesture are an error.
  mutating func bindings(_ value: Value, of table: String, on screen: Screen) -> [Binding] {
    var bindings: [Binding] = []
    for (members, place) in tables("bind", value) {
      guard let binding = binding(members, of: table, at: place, on: screen) else { continue }
      if let (earlier, clash) = bindings.lazy.compactMap({ other in binding.clash(with: other).map { (other, $0) } })
        .first
      {
        fail(place, sentence(clash, binding, earlier))
        continue
      }
      bindings.append(binding)
    }
    return bindings
  }

  private static let bindingKeys =
    ["gesture", "fingers", "zone", "grid", "cell", "key", "keys", "scan", "do", "then", "mode"]
    + Timing.Setting.allCases.map(\.rawValue)

  private mutating func binding(
    _ members: [Member], of table: String, at place: Place, on screen: Screen
  ) -> Binding? {
    let errorsBefore = errors.count
    checkKeys(members, of: table, known: Self.bindingKeys)
    let value = { (key: String) in members.first { $0.key == key }?.value }
    let gesture: Gesture.Kind? = value("gesture").flatMap { choice("gesture", $0, help: Self.gestures) }
    let action = value("do").flatMap { self.action("do", $0) }
    let ending = value("then").flatMap { self.action("then", $0) }
    for key in ["gesture", "do"] where value(key) == nil {
      fail(
        place, "\(table) has no \"\(key)\"",
        hint: key == "do" ? "say what is to be done, such as do = \"add\"" : Self.gestures)
    }
    guard let gesture else {
      _ = keys(members.filter { Self.keyKeys.contains($0.key) })
      return nil
    }
    if gesture != .hold, let member = members.first(where: { $0.key == "then" }) {
      fail(member.place, "a \(gesture.rawValue) has no then", hint: "only a hold has an end")
    }
    let timing = settings(members, of: gesture)
    let target = target(of: gesture, members, at: place, on: screen)
    guard errors.count == errorsBefore, let target, let action else { return nil }
    return Binding(
      gesture: gesture, target: target, action: action, ending: ending, timing: timing, line: place.line)
  }

  private static let gestures = "gestures are " + Gesture.Kind.allCases.map(\.rawValue).joined(separator: ", ")

  private mutating func action(_ key: String, _ value: Value) -> Action? {
    let texts = strings(key, value).map(\.text)
    if texts.isEmpty { return nil }
    do throws(Action.Problem) {
      return try Action(all: texts)
    } catch {
      fail(value.place, error.reason, hint: error.hint)
      return nil
    }
  }

  private func sentence(_ clash: Binding.Clash, _ binding: Binding, _ earlier: Binding) -> String {
    var words = binding.gesture.rawValue
    if case .touch(let fingers, let zone) = binding.target {
      if fingers > 1 { words += " with \(fingers) fingers" }
      if case .zones(let other) = clash, let zone {
        return """
          \(words) is bound in zone \(zone.name) and, on line \(earlier.line ?? 0), in zone \(other.name), which shares \
          a part of the screen with it
          """
      }
      if let zone { words += " in zone \(zone.name)" }
    }
    switch clash {
    case .key(let code): words += " of \(keys.known.first { keys.code($0) == code } ?? "key \(code)")"
    case .scan(let code): words += " of scan code 0x\(String(code, radix: 16))"
    case .spot, .zones: break
    }
    return "\(words) is bound already on line \(earlier.line ?? 0)"
  }

  // MARK: Eager bindings

  /// Refuses eager bindings whose action cannot be undone: with an eager double-tap the tap counts at once, and its
  /// action may have to be undone.
  mutating func checkEager(_ rules: [DeviceRule], _ bindings: [Binding], _ timing: TimingChanges) {
    checkEager(bindings, timing.applied(to: .standard))
    for rule in rules {
      checkEager(rule.bindings + bindings, rule.timing.applied(to: timing.applied(to: .standard)))
    }
  }

  private mutating func checkEager(_ bindings: [Binding], _ timing: Timing) {
    for binding in bindings where binding.timing.applied(to: timing).mode == .eager {
      guard let part = binding.beginning,
        let earlier = bindings.first(where: { $0.gesture == part && $0.covers(binding) }),
        !earlier.action.canBeTakenBack
      else { continue }
      let place = Place(line: binding.line ?? 0, column: 1)
      let reason = """
        an eager \(binding.gesture.rawValue) takes back the \(part.rawValue) before it, and "\(earlier.action)" on line \
        \(earlier.line ?? 0) cannot be taken back
        """
      guard !errors.contains(where: { $0.line == place.line && $0.reason == reason }) else { continue }
      fail(place, reason, hint: "mode = \"wait\"")
    }
  }
}

extension Binding {
  /// The overlap of two bindings that have the same gesture.
  enum Clash {
    case spot
    case key(UInt16)
    case scan(UInt32)
    /// The other zone, which overlaps this one.
    case zones(Zone)
  }

  /// The overlap that makes this binding and another binding of the list contradict each other; nil without an overlap.
  func clash(with other: Binding) -> Clash? {
    guard gesture == other.gesture else { return nil }
    switch (target, other.target) {
    case (.touch(let fingers, let zone), .touch(let otherFingers, let otherZone)):
      guard fingers == otherFingers else { return nil }
      guard let zone, let otherZone else { return zone == nil && otherZone == nil ? .spot : nil }
      if zone.covers(otherZone) { return .spot }
      return zone.crosses(otherZone) ? .zones(otherZone) : nil
    case (.keys(let codes, let scans), .keys(let otherCodes, let otherScans)):
      if gesture == .chord {
        return Set(codes) == Set(otherCodes) && Set(scans) == Set(otherScans) ? .spot : nil
      }
      if let code = codes.first(where: otherCodes.contains) { return .key(code) }
      if let scan = scans.first(where: otherScans.contains) { return .scan(scan) }
      return target == other.target ? .spot : nil
    case (.wheel, .wheel), (.motion, .motion): return .spot
    default: return nil
    }
  }
}

extension Binding {
  /// The gesture that is emitted first if this one is eager.
  fileprivate var beginning: Gesture.Kind? {
    if gesture == .longPress, case .keys = target { return .press }
    return gesture.base
  }

  /// Whether a gesture for the other binding may also match this binding.
  fileprivate func covers(_ other: Binding) -> Bool {
    switch (target, other.target) {
    case (.touch(let fingers, let zone), .touch(let otherFingers, let otherZone)):
      guard fingers == otherFingers else { return false }
      guard let zone else { return true }
      return otherZone.map { zone.covers($0) || zone.crosses($0) || zone.holds($0) || $0.holds(zone) } ?? true
    case (.keys(let codes, let scans), .keys(let otherCodes, let otherScans)):
      let isAny = { (codes: [UInt16], scans: [UInt32]) in codes.isEmpty && scans.isEmpty }
      return isAny(codes, scans) || isAny(otherCodes, otherScans) || codes.contains(where: otherCodes.contains)
        || scans.contains(where: otherScans.contains)
    default: return false
    }
  }
}
