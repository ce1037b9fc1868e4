import Bindings
import CoreAPI
import Gestures
import InputDevices

/// Converts gestures into deliveries, and keeps the latest ones, so that exactly the changes of a superseded gesture
/// are undone, even after a change of the configuration, or if other programs change counters meanwhile.
package struct DeliveryBuilder {
  private struct Delivered {
    let gesture: Gesture
    let device: String
    /// The changes in order; several are undone together.
    let changes: [Counters.Change]
  }

  private var latest: [Delivered] = []
  /// The latest gestures by kind, time and device, with the number of equal gestures: a wheel makes several at once.
  private var given: [(time: Int64, kind: Gesture.Kind, node: String, count: Int)] = []
  /// The maximum number of kept gestures: more than can still be superseded.
  private static let capacity = 32
  private var labels = GestureLabels()

  package init() {}

  /// Returns the delivery for a gesture, with its stamp converted to the wall clock.
  ///
  /// - Parameters:
  ///   - boottime: the present time on the gestures' clock, in nanoseconds.
  ///   - wall: the present time on the wall clock, in microseconds since 1970.
  ///   - identity: the result of ``identity(of:on:)``.
  /// - Returns: nil if there is no change to make or to undo.
  package mutating func delivery(
    for bound: BoundGesture, boottime: Int64, wall: Int64, identity: String? = nil
  ) -> Delivery? {
    let time = wall &- (boottime &- bound.gesture.time) / 1000
    let gesture = labels.label(of: bound.gesture)
    var changes: [Counters.Change] = []
    if let action = bound.action {
      changes.append(.init(action, time: time, device: bound.device, gesture: gesture))
      for further in action.further {
        changes.append(.init(further, time: time, device: bound.device, gesture: gesture, isTogether: true))
      }
    }
    let takebacks = bound.gesture.takesBack.reversed().flatMap {
      takeBack($0, of: bound.device, at: time, for: gesture)
    }
    if !changes.isEmpty {
      latest.append(Delivered(gesture: bound.gesture, device: bound.device, changes: changes))
      if latest.count > Self.capacity { latest.removeFirst() }
    }
    if !takebacks.isEmpty { changes = takebacks + changes }
    return changes.isEmpty ? nil : Delivery(changes, identity: identity)
  }

  /// Identifies a gesture by device, kind, time, and a number among equal gestures. A later process that recognises the
  /// same gesture again gets the same identity. Must be called once for each gesture, in order.
  ///
  /// - Parameter node: the device's sysfs path.
  package mutating func identity(of bound: BoundGesture, on node: String) -> String {
    let (time, kind) = (bound.gesture.time, bound.gesture.kind)
    var count = 0
    // A tap that became part of a double-tap is emitted again if the second tap becomes a swipe.
    if let index = given.lastIndex(where: { $0.time == time && $0.kind == kind && $0.node == node }) {
      given[index].count += 1
      count = given[index].count
    } else {
      if given.count >= Self.capacity { given.removeFirst() }
      given.append((time, kind, node, 0))
    }
    return "\(node) \(kind.rawValue) \(time) \(count)"
  }

  /// The changes that undo an earlier gesture; empty if the gesture was unbound or cannot be undone.
  private mutating func takeBack(
    _ earlier: Gesture, of device: String, at time: Int64, for gesture: String
  ) -> [Counters.Change] {
    guard let index = latest.lastIndex(where: { $0.gesture == earlier && $0.device == device }) else { return [] }
    func change(_ verb: Counters.Change.Verb, counter: String?, made: Int64? = nil) -> Counters.Change {
      .init(verb: verb.rawValue, counter: counter, time: time, device: device, gesture: gesture, made: made)
    }
    var isUndone = false
    return latest.remove(at: index).changes.reversed().compactMap { former in
      switch Counters.Change.Verb(rawValue: former.verb) {
      case .add, .subtract, .reset, .start, .stop, .toggle, .lap:
        // A single undo reverts all counts that were made together.
        defer { isUndone = true }
        return isUndone ? nil : change(.undo, counter: nil, made: former.time)
      case .undo: return change(.redo, counter: former.counter)
      case .redo: return change(.undo, counter: former.counter)
      case .next where !former.isGroups: return change(.previous, counter: former.counter)
      case .previous where !former.isGroups: return change(.next, counter: former.counter)
      case .select, .next, .previous, nil: return nil
      }
    }
  }
}

extension Counters.Change {
  fileprivate init(_ action: Action, time: Int64, device: String, gesture: String, isTogether: Bool = false) {
    let (verb, groups): (String, Bool) =
      switch action.verb {
      case .nextGroup: (Action.Verb.next.rawValue, true)
      case .previousGroup: (Action.Verb.previous.rawValue, true)
      default: (action.verb.rawValue, false)
      }
    let group: String? = if case .group(let name)? = action.scope { name } else { nil }
    self.init(
      verb: verb, counter: action.counter, time: time, device: device, gesture: gesture, group: group,
      isAll: action.scope == .all, quantity: action.amount, isGroups: groups, isTogether: isTogether)
  }
}

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
