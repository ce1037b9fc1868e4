/// A gesture that somebody has an interest in: what, where, and by which times and distances it is told from others.
///
/// What is wished for decides what waits: a tap that could be half of a double-tap only does where one is wished for.
public struct Wish: Equatable, Sendable {
  /// What the gesture is to be done with.
  public enum Target: Equatable, Sendable {
    /// So many fingers (1 to 5), landing in a zone or anywhere.
    case touch(fingers: Int, zone: Zone?)
    /// Any of these keys (a chord: all of them), by code or by what the device calls them; any key but modifiers where
    /// both lists are empty.
    case keys(codes: [UInt16], scans: [UInt32])
    case wheel
    /// The whole device, which is moved.
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

  /// Whether a gesture is the one that is wished for.
  public func matches(_ gesture: Gesture) -> Bool {
    guard gesture.kind == kind else { return false }
    switch target {
    case .touch(let fingers, let zone):
      guard gesture.key == nil, gesture.fingers == fingers else { return false }
      guard let zone else { return true }
      return gesture.position.map(zone.contains) ?? false
    case .keys:
      if kind == .chord { return chord == gesture.chord.count && gesture.chord.allSatisfy(matches) }
      return gesture.key.map { matches(.init(code: $0, scan: gesture.scan)) } ?? false
    case .wheel, .motion: return true
    }
  }

  /// Whether a key is one of those that are meant.
  func matches(_ key: Gesture.PressedKey) -> Bool {
    guard case .keys(let codes, let scans) = target else { return false }
    if codes.isEmpty, scans.isEmpty { return KeyCode.isMeantByAny(key.code) }
    return codes.contains(key.code) || key.scan.map(scans.contains) ?? false
  }

  /// How many keys make the chord that is wished for; 0 for all else.
  var chord: Int {
    guard kind == .chord, case .keys(let codes, let scans) = target else { return 0 }
    return codes.count + scans.count
  }

  /// Whether the fingers of a touch that began in these zones are meant.
  func matches(fingers: Int, in zones: [Zone]) -> Bool {
    guard case .touch(fingers, let zone) = target else { return false }
    return zone.map(zones.contains) ?? true
  }

  /// The zone it is meant in; nil for anywhere, and for what is not done on a touch surface.
  package var zone: Zone? {
    guard case .touch(_, let zone) = target else { return nil }
    return zone
  }
}
