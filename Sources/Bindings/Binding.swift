public import Gestures

/// What one gesture does: one `[[bind]]` or `[[device.bind]]` of a configuration, or one of the defaults.
public struct Binding: Equatable, Sendable {
  public let gesture: Gesture.Kind

  /// The keys whose press is meant; empty for any key but modifiers, and for gestures that have no key.
  public let keys: [UInt16]

  public let action: Action

  /// The line it stands on; nil for a default.
  public let line: Int?

  public init(gesture: Gesture.Kind, keys: [UInt16] = [], action: Action, line: Int? = nil) {
    self.gesture = gesture
    self.keys = keys
    self.action = action
    self.line = line
  }

  /// Whether a gesture is the one that is bound here. Touch gestures with more than one finger are bound to nothing.
  func matches(_ gesture: Gesture) -> Bool {
    guard gesture.kind == self.gesture, gesture.fingers <= 1 else { return false }
    guard let key = gesture.key else { return keys.isEmpty }
    return keys.isEmpty ? !Self.modifiers.contains(key) : keys.contains(key)
  }

  /// Keys that only change what others mean: KEY_LEFTCTRL, KEY_LEFTSHIFT, KEY_RIGHTSHIFT, KEY_LEFTALT, KEY_RIGHTCTRL,
  /// KEY_RIGHTALT, KEY_LEFTMETA, KEY_RIGHTMETA, KEY_FN. A remote that sends Shift+F5 is pressed once, not twice.
  static let modifiers: Set<UInt16> = [29, 42, 54, 56, 97, 100, 125, 126, 0x1d0]
}
