/// Contacts that never move, or never lift.
extension TouchRecognizer {
  mutating func noteMove(of index: Int, to place: Stroke.Vector, at time: Int64) {
    guard let rest = tracker.contacts[index].rest else {
      tracker.contacts[index].rest = Contact.Rest(place: place, since: time, landing: time)
      return
    }
    guard (place - rest.place).length > limits.hysteresis else { return }
    tracker.contacts[index].rest = Contact.Rest(place: place, since: time, landing: rest.landing)
  }

  mutating func reportStuckContacts(at time: Int64, into output: inout GestureOutput) {
    let seconds = Int(Self.stuckAfter / 1_000_000_000)
    for index in tracker.contacts.indices {
      guard let rest = tracker.contacts[index].rest else { continue }
      if let landing = rest.landing, landing.later(by: Self.stuckAfter) <= time {
        tracker.contacts[index].rest?.landing = nil
        if rest.since != landing, let position = position(of: index) {
          output.report(.neverLifts(position, seconds: seconds))
        }
      }
      guard !rest.isReported, rest.since.later(by: Self.stuckAfter) <= time else { continue }
      tracker.contacts[index].rest?.isReported = true
      if let position = position(of: index) { output.report(.stuck(position, seconds: seconds)) }
    }
  }
}
