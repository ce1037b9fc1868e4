import Bindings
import Gestures

/// Turns gestures into deliveries, and remembers the latest ones, so that one which turns out to have been the beginning
/// of another is taken back exactly: whatever the configuration says of it by then, and whoever counts beside it.
package struct RecentGestures {
  private struct Delivered {
    let gesture: Gesture
    let device: String
    let change: Change
  }

  private var latest: [Delivered] = []
  /// What the latest gestures were, when, and on which device, and how many were alike: a wheel gives many at once.
  private var given: [(text: String, count: Int)] = []
  /// More than any hand does while it is not known what it does.
  private static let capacity = 32

  package init() {}

  /// The delivery for a gesture. The history wants the time of day at which it was done: that is as long ago as its
  /// stamp.
  ///
  /// - Parameters:
  ///   - boottime: what the clock of gestures says now, in nanoseconds.
  ///   - wall: what the clock on the wall says now, in microseconds since 1970.
  ///   - identity: what ``identity(of:on:)`` gave.
  /// - Returns: nil where nothing is to be done and nothing was done that could be taken back.
  package mutating func delivery(
    for bound: BoundGesture, boottime: Int64, wall: Int64, identity: String? = nil
  ) -> Delivery? {
    let time = wall &- (boottime &- bound.gesture.time) / 1000
    let gesture = bound.gesture.kind.rawValue
    var changes = bound.takesBack.reversed().compactMap { takeBack($0, of: bound.device, at: time, for: gesture) }
    if let action = bound.action {
      let change = Change(
        verb: action.verb.rawValue, counter: action.counter, amount: action.amount, time: time, device: bound.device,
        gesture: gesture, scope: action.scope)
      latest.append(Delivered(gesture: bound.gesture, device: bound.device, change: change))
      if latest.count > Self.capacity { latest.removeFirst() }
      changes.append(change)
    }
    return changes.isEmpty ? nil : Delivery(changes, identity: identity)
  }

  /// What tells a gesture from all others, in this process and in one that recognises it anew: the device, what was done
  /// and when, and which of several alike at the same time. Asked once for each gesture, in their order.
  ///
  /// - Parameter node: the device's sysfs path.
  package mutating func identity(of bound: BoundGesture, on node: String) -> String {
    let text = "\(node) \(bound.gesture.kind.rawValue) \(bound.gesture.time)"
    // One that was merged with what came behind it is given once more where that turns out to be something else.
    if let index = given.lastIndex(where: { $0.text == text }) {
      given[index].count += 1
      return "\(text) \(given[index].count)"
    }
    if given.count >= Self.capacity { given.removeFirst() }
    given.append((text, 0))
    return "\(text) 0"
  }

  /// What undoes an earlier gesture; nil where it was bound to nothing, or to what cannot be undone.
  private mutating func takeBack(
    _ earlier: Gesture, of device: String, at time: Int64, for gesture: String
  ) -> Change? {
    guard let index = latest.lastIndex(where: { $0.gesture == earlier && $0.device == device }) else { return nil }
    let former = latest.remove(at: index).change
    let inverses = ["undo": "redo", "redo": "undo", "next": "previous", "previous": "next"]
    switch former.verb {
    case "add", "subtract", "reset", "start", "stop", "toggle", "lap":
      return Change(
        verb: "undo", counter: nil, amount: nil, time: time, device: device, gesture: gesture,
        made: former.time)
    default:
      return inverses[former.verb].map { verb in
        Change(verb: verb, counter: former.counter, amount: nil, time: time, device: device, gesture: gesture)
      }
    }
  }
}
