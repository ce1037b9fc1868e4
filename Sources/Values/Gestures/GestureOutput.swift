/// Recognised gestures that were not drained yet, and the time of the last one, for the refractory time.
struct GestureOutput: Equatable, Sendable {
  private var gestures: [Gesture] = []
  /// The time of the last bound gesture.
  private var last: Int64?

  /// The reports on touches without a gesture since the last frame or deadline.
  private(set) var reports: [InputReport] = []

  mutating func report(_ report: InputReport) { reports.append(report) }

  mutating func forgetReports() {
    if !reports.isEmpty { reports = [] }
  }

  /// Whether a gesture that began at `beginning` is within the refractory time of the last one.
  func refuses(_ beginning: Int64, _ refractory: Int64) -> Bool {
    guard refractory > 0, let last, let pause = beginning.elapsed(since: last) else { return false }
    return pause < refractory
  }

  /// The end of the refractory time after the last bound gesture; `.min` if there is none.
  ///
  /// - Parameter refractory: the longest refractory time of the device, in nanoseconds.
  func quietAfter(_ refractory: Int64) -> Int64 {
    guard refractory > 0, let last else { return .min }
    return last.later(by: refractory)
  }

  mutating func emit(_ gesture: Gesture, isBound: Bool) {
    gestures.append(gesture)
    if isBound { last = gesture.time }
  }

  /// Removes and returns all gestures, in the order in which they were recognised.
  mutating func drain() -> [Gesture] {
    guard !gestures.isEmpty else { return [] }
    defer { gestures = [] }
    return gestures
  }
}
