import Gestures
import Toml

extension ConfigurationReader {
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
