package import Feedback

/// What the core did with a delivery.
package enum DeliveryOutcome: Equatable, Sendable {
  /// It is on disk.
  case recorded([RecordedEvent])
  /// The core named a reason against it.
  case refused
}

/// An event as the core answered it, as far as feedback is concerned.
package struct RecordedEvent: Equatable, Sendable {
  package let kind: String
  package let counter: String
  package let change: Int64
  package let value: Int64
  /// What else the core says of it.
  package let marks: Set<Occasion>

  package init(kind: String, counter: String, change: Int64, value: Int64, marks: Set<Occasion> = []) {
    self.kind = kind
    self.counter = counter
    self.change = change
    self.value = value
    self.marks = marks
  }
}

extension DeliveryOutcome {
  /// What became of the gesture, in the words of feedback.
  ///
  /// A gesture may take back what it first seemed to be and make a counter where there was none; a person means its last
  /// change, so only what that one does is told.
  package func happenings(of delivery: Delivery) -> [Happening] {
    switch self {
    case .refused: return [Happening(.refused, counter: nil)]
    case .recorded(let events):
      guard let verb = delivery.changes.last?.verb else { return [] }
      return events.compactMap { event in
        guard let occasion = Occasion(rawValue: event.kind), occasion.follows(from: verb) else { return nil }
        return Happening(
          occasion, counter: event.counter, value: event.value, change: event.change, marks: event.marks)
      }
    }
  }
}

extension Occasion {
  /// Whether it is what a verb of the core's interface does.
  fileprivate func follows(from verb: String) -> Bool {
    switch self {
    case .added: verb == "add"
    case .subtracted: verb == "subtract"
    case .started: verb == "start" || verb == "toggle"
    case .stopped: verb == "stop" || verb == "toggle"
    case .lapped: verb == "lap"
    case .selected: ["select", "next", "previous"].contains(verb)
    case .undone: verb == "undo"
    case .redone: verb == "redo"
    case .armed, .reset: verb == "reset"
    case .boundary, .goal, .limited, .refused: false
    }
  }
}
