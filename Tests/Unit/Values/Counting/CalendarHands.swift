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
    try perform(change, at: Self.moment(time))
  }

  /// Performs a change of a counter whose schedule was always the same.
  mutating func perform(_ change: Change, at time: Int64, from value: Int64 = 0) throws -> [Event] {
    var past: Ledger.Answer?
    if case .endedPeriod(let counter, _)? = ledger.question(before: change, at: time) {
      past = ledger.periodEnd(of: counter, at: time).map { .endedPeriod(end: $0, value: value) }
    }
    return try ledger.perform(change, at: time, cause: cause, past: past)
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
