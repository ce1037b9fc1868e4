import Gestures
import Testing

/// Reports of a device at their times, made by hands that know nothing of each other.
struct Reports {
  private var reports: [(time: Int64, events: [InputEvent], isResync: Bool)] = []

  /// Something is reported at a time in milliseconds.
  mutating func report(_ time: Int64, _ events: [(UInt16, UInt16, Int32)], isResync: Bool = false) {
    reports.append(
      (time, events.map { InputEvent(type: $0.0, code: $0.1, value: $0.2) }, isResync))
  }

  /// One frame for each report, in the order of time; those of one time in the order in which they were made.
  var frames: [Frame] {
    reports.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
      .map { Frame(time: $0.element.time * 1_000_000, events: $0.element.events, isResync: $0.element.isResync) }
  }
}

extension [Gesture] {
  /// The gestures without those that were taken back. Each gesture can be taken back once, after it was given.
  var net: [Gesture] {
    var left: [Gesture] = []
    for gesture in self {
      for taken in gesture.takesBack {
        guard let index = left.lastIndex(of: taken) else {
          Issue.record("\(gesture) takes back \(taken), which was taken back before or never given")
          continue
        }
        left.remove(at: index)
      }
      left.append(gesture)
    }
    return left
  }
}
