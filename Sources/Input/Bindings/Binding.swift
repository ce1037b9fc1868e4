public import Gestures

/// The action of one gesture: one `[[bind]]` or `[[device.bind]]` of a configuration, or a default.
public struct Binding: Equatable, Sendable {
  public let gesture: Gesture.Kind

  /// The part of the device with which the gesture is made, and the place on it.
  public let target: Interest.Target

  public let action: Action

  /// The action at the end of a hold; nil for other gestures.
  public let ending: Action?

  /// Timing settings of this binding only.
  public let timing: TimingChanges

  /// The line of the binding in the configuration; nil for a default.
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

  /// A default for certain keys, or for a wheel.
  init(_ gesture: Gesture.Kind, _ target: Interest.Target, _ action: Action) {
    self.init(gesture: gesture, target: target, action: action)
  }

  /// Whether the binding only disables another one.
  public var doesNothing: Bool { action.verb == .nothing && ending.map { $0.verb == .nothing } ?? true }

  /// Whether this binding applies to every gesture to which `other` applies.
  func includes(_ other: Binding) -> Bool { gesture == other.gesture && target.includes(other.target) }

  /// The bound keys; empty for any key except modifiers and lock keys, and for gestures without keys.
  public var keys: [UInt16] {
    guard case .keys(let codes, _) = target else { return [] }
    return codes
  }

  /// The size of the target, as a part of the surface. A binding with a smaller target has priority. 0 for a named key,
  /// 2 for any key or any position.
  var breadth: Double {
    switch target {
    case .keys(let codes, let scans): codes.isEmpty && scans.isEmpty ? 2 : 0
    case .touch(_, let zone): zone?.area ?? 2
    case .wheel, .motion: 0
    }
  }

  /// The binding as it applies to a device: a long press without a target means a finger on a device with a surface,
  /// and any key on other devices.
  func applied(hasSurface: Bool) -> Binding {
    guard gesture == .longPress, target == .anywhere, !hasSurface else { return self }
    return Binding(
      gesture: gesture, target: .anyKey, action: action, ending: ending, timing: timing, line: line)
  }
}

extension Interest.Target {
  /// Whether this target includes `other`.
  fileprivate func includes(_ other: Interest.Target) -> Bool {
    if case .touch(let fingers, nil) = self, case .touch(fingers, _) = other { return true }
    return self == other
  }

  /// Any key except modifiers and lock keys.
  static let anyKey = Interest.Target.keys(codes: [], scans: [])
  static let anywhere = Interest.Target.touch(fingers: 1, zone: nil)
}
