import Counting

/// A ledger with a clock of its own.
struct Bench {
  var ledger = Ledger()
  var time: Int64 = 1_000_000_000
  private(set) var events: [Event] = []

  @discardableResult
  mutating func perform(_ change: Change, after seconds: Int64 = 1) throws(CountingError) -> Event {
    time += seconds * 1_000_000
    let made = try ledger.perform(change, at: time, cause: Cause(producer: "test"))
    events += made
    guard let event = made.first?.subject == .counter ? made.last : made.first else { throw .nothingToUndo }
    return event
  }

  @discardableResult
  mutating func add(_ name: String, _ amount: Int64? = nil) throws(CountingError) -> Event {
    try perform(.add(.named(name), amount: amount.map(Quantity.units)))
  }

  @discardableResult
  mutating func subtract(_ name: String, _ amount: Int64? = nil) throws(CountingError) -> Event {
    try perform(.subtract(.named(name), amount: amount.map(Quantity.units)))
  }

  @discardableResult
  mutating func clock(_ verb: Change.StopwatchVerb, after seconds: Int64 = 1) throws(CountingError) -> Event {
    try perform(.clock(.current, verb), after: seconds)
  }

  func counter(_ name: String) throws(CountingError) -> Counter { try ledger.find(.named(name)) }
  func value(_ name: String) throws(CountingError) -> Int64 { try counter(name).value }
  var names: [String] { ledger.all.map(\.name.text) }
}
