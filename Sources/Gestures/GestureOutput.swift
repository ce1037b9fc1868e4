/// What was recognised and not handed over yet, and what may not be because it follows too closely.
struct GestureOutput: Equatable, Sendable {
  private var gestures: [Gesture] = []
  /// When the last gesture was done that somebody has an interest in.
  private var last: Int64?

  /// Whether something that began then is too close to the last gesture to be one.
  func refuses(_ beginning: Int64, _ refractory: Int64) -> Bool {
    guard refractory > 0, let last, let pause = beginning.elapsed(since: last) else { return false }
    return pause < refractory
  }

  /// Until when a gesture would be too close to the last one, where `refractory` is the longest such time; the beginning
  /// of time where none would.
  func settled(_ refractory: Int64) -> Int64 {
    guard refractory > 0, let last else { return .min }
    return last.later(by: refractory)
  }

  mutating func give(_ gesture: Gesture, isWished: Bool) {
    gestures.append(gesture)
    if isWished { last = gesture.time }
  }

  /// Everything since the last call, in the order in which it was recognised.
  mutating func handOver() -> [Gesture] {
    guard !gestures.isEmpty else { return [] }
    defer { gestures = [] }
    return gestures
  }
}
