/// A gesture to recognise: its kind, its target, and the times and distances that separate it from others.
///
/// The recogniser's part of a binding. Interests decide which gestures wait: a tap waits for a second one only if a
/// double-tap is of interest.
public struct Interest: Equatable, Sendable {
  /// The part of the device with which the gesture is made.
  public enum Target: Equatable, Sendable {
    /// A number of fingers (1 to 5) that land in a zone; nil for anywhere.
    case touch(fingers: Int, zone: Zone?)
    /// Any of these keys (a chord: all of them), by code or by the device's scan code. If both lists are empty: any key
    /// except modifiers and lock keys.
    case keys(codes: [UInt16], scans: [UInt32])
    case wheel
    /// Motion of the whole device.
    case motion
  }

  public let kind: Gesture.Kind
  public let target: Target
  public let timing: Timing

  public init(_ kind: Gesture.Kind, _ target: Target, timing: Timing = .standard) {
    self.kind = kind
    self.target = target
    self.timing = timing
  }

  /// Whether a recognised gesture is of interest.
  public func matches(_ gesture: Gesture) -> Bool {
    guard gesture.kind == kind else { return false }
    switch target {
    case .touch(let fingers, let zone):
      guard gesture.key == nil, gesture.fingers == fingers else { return false }
      guard let zone else { return true }
      return gesture.position.map(zone.contains) ?? false && gesture.others.allSatisfy(zone.contains)
    case .keys:
      if kind == .chord { return chord == gesture.chord.count && gesture.chord.allSatisfy(matches) }
      return gesture.key.map { matches(.init(code: $0, scan: gesture.scan)) } ?? false
    case .wheel, .motion: return true
    }
  }

  /// Whether the target includes a key.
  func matches(_ key: Gesture.PressedKey) -> Bool {
    guard case .keys(let codes, let scans) = target else { return false }
    if codes.isEmpty, scans.isEmpty { return KeyCode.isMeantByAny(key.code) }
    return codes.contains(key.code) || key.scan.map(scans.contains) ?? false
  }

  /// The number of keys of the chord; 0 for other kinds.
  var chord: Int {
    guard kind == .chord, case .keys(let codes, let scans) = target else { return 0 }
    return codes.count + scans.count
  }

  /// Whether the target includes a touch with this number of fingers that began in these zones.
  func matches(fingers: Int, in zones: [Zone]) -> Bool {
    guard case .touch(fingers, let zone) = target else { return false }
    return zone.map(zones.contains) ?? true
  }

  /// The zone of the target; nil for the whole surface and for targets other than touches.
  package var zone: Zone? {
    guard case .touch(_, let zone) = target else { return nil }
    return zone
  }
}
