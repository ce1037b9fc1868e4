import Gestures
import InputDevices

/// The names of gestures in the history: the kind, followed by the keys if there are any, as in `press KEY_B`.
///
/// libevdev's names are looked up once for each key.
struct GestureLabels {
  private struct Key: Hashable {
    let kind: Gesture.Kind
    let code: UInt16
  }

  private var known: [Key: String] = [:]
  /// The maximum number of cached labels, above the number of keys in use.
  private static let capacity = 256

  mutating func label(of gesture: Gesture) -> String {
    guard let code = gesture.key else {
      if gesture.chord.isEmpty { return gesture.kind.rawValue }
      return Self.label(gesture.kind, gesture.chord.map(\.code).sorted())
    }
    let key = Key(kind: gesture.kind, code: code)
    if let label = known[key] { return label }
    let label = Self.label(gesture.kind, [code])
    if known.count >= Self.capacity { known = [:] }
    known[key] = label
    return label
  }

  private static func label(_ kind: Gesture.Kind, _ codes: [UInt16]) -> String {
    let names = codes.map { EvdevKeys.name(of: $0) ?? String($0) }
    let label = ([kind.rawValue] + names).joined(separator: " ")
    // The core refuses longer labels.
    return CauseLabel.isSound(label) ? label : kind.rawValue
  }
}
