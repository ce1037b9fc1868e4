public import Gestures

/// The action of one gesture: one `[[bind]]` or `[[device.bind]]` of a configuration, or one of the defaults.
public struct Binding: Equatable, Sendable {
  public let gesture: Gesture.Kind

  /// With what it is done, and where.
  public let target: Interest.Target

  public let action: Action

  /// For a hold: what is done when it ends.
  public let ending: Action?

  /// Timing settings of this binding alone.
  public let timing: TimingChanges

  /// The line it stands on; nil for a default.
  public let line: Int?

  public init(
    gesture: Gesture.Kind, target: Interest.Target, action: Action, ending: Action? = nil,
    timing: TimingChanges = .init(),
    line: Int? = nil
  ) {
    self.gesture = gesture
    self.target = target
    self.action = action
    self.ending = ending
    self.timing = timing
    self.line = line
  }

  /// A default: any key, one finger anywhere, or the device itself.
  init(_ gesture: Gesture.Kind, _ action: Action) {
    let target: Interest.Target =
      switch gesture.means {
      case [.key]: .anyKey
      case [.motion]: .motion
      default: .anywhere
      }
    self.init(gesture: gesture, target: target, action: action)
  }

  /// A default on certain keys, or on a wheel.
  init(_ gesture: Gesture.Kind, _ target: Interest.Target, _ action: Action) {
    self.init(gesture: gesture, target: target, action: action)
  }

  /// Whether the binding only replaces another one by nothing.
  public var doesNothing: Bool { action.verb == .nothing && ending.map { $0.verb == .nothing } ?? true }

  /// Whether each gesture that another binding is for is one of its own.
  func includes(_ other: Binding) -> Bool { gesture == other.gesture && target.includes(other.target) }

  /// The keys that are meant; empty for any key but modifiers, and for gestures that have no key.
  public var keys: [UInt16] {
    guard case .keys(let codes, _) = target else { return [] }
    return codes
  }

  /// How closely it says what it means: a binding that names the key or a smaller zone is asked before others.
  var breadth: Double {
    switch target {
    case .keys(let codes, let scans): codes.isEmpty && scans.isEmpty ? 2 : 0
    case .touch(_, let zone): zone?.area ?? 2
    case .wheel, .motion: 0
    }
  }

  /// The same binding as it applies to a device: a long press without a word on with what is a finger's where there is a
  /// surface, and any key's where there is none.
  func applied(hasSurface: Bool) -> Binding {
    guard gesture == .longPress, target == .anywhere, !hasSurface else { return self }
    return Binding(
      gesture: gesture, target: .anyKey, action: action, ending: ending, timing: timing, line: line)
  }
}

extension Interest.Target {
  /// Whether whatever is done with another target is done with this one as well.
  fileprivate func includes(_ other: Interest.Target) -> Bool {
    if case .touch(let fingers, nil) = self, case .touch(fingers, _) = other { return true }
    return self == other
  }

  /// Any key but modifiers.
  static let anyKey = Interest.Target.keys(codes: [], scans: [])
  /// One finger, anywhere.
  static let anywhere = Interest.Target.touch(fingers: 1, zone: nil)
}
