import Calendars
import Counting

/// A ledger that is worked with at times of the calendar, as a suite of tests has it.
protocol CalendarHands {
  var ledger: Ledger { get set }
}

extension CalendarHands {
  var cause: Cause { Cause(producer: "test") }

  static func moment(_ text: String) throws -> Int64 { try TimeText.moment(text, now: 0, in: .utc) }

  @discardableResult
  mutating func perform(_ change: Change, at time: String) throws -> [Event] {
    try ledger.perform(change, at: try Self.moment(time), cause: cause)
  }

  /// Begins anew all that ended until then.
  mutating func renew(until time: String) throws -> [Event] {
    let time = try Self.moment(time)
    var events: [Event] = []
    while let first = ledger.renewals(until: time).first {
      events += try ledger.perform(.renew(first), at: time, cause: cause)
    }
    return events
  }
}
