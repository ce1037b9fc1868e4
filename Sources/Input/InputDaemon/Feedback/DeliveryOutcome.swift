package import CoreAPI
package import Feedback

/// The outcome of a delivery, from the core's reply.
package enum DeliveryOutcome: Equatable, Sendable {
  /// The events are on disk.
  case recorded([Counters.Event])
  /// The core refused the delivery.
  case refused

  /// The outcomes of the gesture for feedback.
  ///
  /// A delivery may also undo earlier gestures and create a counter. Feedback is for the delivery's last change, with
  /// the changes made together with it, so only their outcomes are returned.
  package func outcomes(of delivery: Delivery) -> [Outcome] {
    switch self {
    case .refused: return [Outcome(.refused, counter: nil)]
    case .recorded(let events):
      // The last change, with the changes that are undone together with it.
      let first = delivery.changes.lastIndex { !$0.isTogether } ?? 0
      let changes = delivery.changes[first...]
      return events.compactMap { recorded in
        guard let event = FeedbackEvent(rawValue: recorded.kind),
          changes.contains(where: { event.follows(from: $0.verb) })
        else { return nil }
        return Outcome(
          event, counter: recorded.counter, value: recorded.value, change: recorded.change, marks: recorded.marks)
      }
    }
  }
}

extension Counters.Event {
  /// The feedback events that the core reported with this event.
  fileprivate var marks: Set<FeedbackEvent> {
    var marks: Set<FeedbackEvent> = []
    if boundary != nil { marks.insert(.boundary) }
    if isReached { marks.insert(.goal) }
    if isLimited { marks.insert(.limited) }
    return marks
  }
}

extension FeedbackEvent {
  /// Whether a verb of the core's interface causes this event.
  fileprivate func follows(from verb: String) -> Bool {
    let verb = Counters.Change.Verb(rawValue: verb)
    return switch self {
    case .added: verb == .add
    case .subtracted: verb == .subtract
    // A press on a stopwatch starts or stops the stopwatch.
    case .started: verb == .start || verb == .toggle || verb == .add
    case .stopped: verb == .stop || verb == .toggle || verb == .add
    case .lapped: verb == .lap
    case .selected: verb == .select || verb == .next || verb == .previous
    case .undone: verb == .undo
    case .redone: verb == .redo
    case .armed, .reset: verb == .reset
    case .boundary, .goal, .limited, .refused: false
    }
  }
}
