import Counting
import Testing

@testable import CoreService

/// The short lines in which an import keeps most events.
@Suite struct `Compact events` {
  private var events = CompactEvents()

  private mutating func readBack(_ event: Event) -> Event? {
    guard let line = events.line(event), line.firstIndex(of: UInt8(ascii: "\n")) == line.count - 1 else { return nil }
    return events.event(line.dropLast())
  }

  private func count(
    _ name: String = "people", value: Int64 = 1, _ cause: Cause = Cause(producer: "test"), undoes: Int64? = nil
  ) -> Event {
    Event(
      sequence: 7, time: 253_402_300_799_999_999, kind: undoes == nil ? .subtracted : .undone, counter: Counter.ID(5),
      name: CounterName(trusted: name), unit: .decimal(3), change: -value, value: value, undoes: undoes, cause: cause,
      marks: [.limited, .lastOfAll])
  }

  @Test mutating func `an event is read as it was written`() {
    for value in [0, 1, -1, .max, -.max] as [Int64] { #expect(readBack(count(value: value)) == count(value: value)) }
    #expect(readBack(count(undoes: 3)) == count(undoes: 3))
    var together = count()
    together.batch = 5
    #expect(readBack(together) == together)
    let cause = Cause(producer: "a\u{2028}b", device: "Pedal\u{e9}", gesture: "press 1 2 3")
    #expect(readBack(count("tür", cause)) == count("tür", cause))
    for kind in Event.Kind.allCases {
      for subject in [Event.Subject.counter, .group, .formula, .all] {
        for presence in [Event.Presence.appeared, .unchanged, .disappeared] {
          let event = Event(
            sequence: .max, time: .min, kind: kind, subject: subject, counter: Counter.ID(.min),
            name: CounterName.first, unit: .time, change: .min, value: .max, presence: presence,
            cause: Cause(producer: "test", gesture: ""))
          #expect(readBack(event) == event)
        }
      }
    }
  }

  @Test mutating func `an event with more to it has no line`() {
    var event = count()
    event.boundary = 5
    #expect(events.line(event) == nil)
    event = count()
    event.about = 5
    #expect(events.line(event) == nil)
    event = count()
    event.alterations = [Alteration(.title, from: .none, to: .text("x"))]
    #expect(events.line(event) == nil)
    event = count()
    event.note = "x"
    #expect(events.line(event) == nil)
  }

  @Test mutating func `another spelling of a name or a cause is not replaced by the first one`() {
    #expect(events.line(count("caf\u{e9}")) != nil)
    #expect(events.line(count("cafe\u{301}")) == nil)
    #expect(events.line(count("a", Cause(producer: "x", device: "\u{e9}"))) != nil)
    #expect(events.line(count("a", Cause(producer: "x", device: "e\u{301}"))) == nil)
  }

  @Test mutating func `the memory for names and causes is bounded`() {
    let lines = (0..<5000).count { events.line(count("a\($0)")) != nil }
    #expect(lines == 4096)
    #expect(readBack(count("a7")) == count("a7"))
    #expect(events.line(count("b", Cause(producer: "new"))) == nil)
  }

  @Test(arguments: [
    "", " ", "{}", "1", "1 2 3", "7 1 1 0 5 1 1 0 0 0 0 1 0", "7 1 1 0 5 1 1 0 0 0 0 0 99",
    "7 1 99 0 5 1 1 0 0 0 0 0 0",
    "7 1 1 -1 5 1 1 0 0 0 0 0 0", "7 1 1 0 5 1 1 9 0 0 0 0 0", "99999999999999999999 1 1 0 5 1 1 0 0 0 0 0 0",
    "9223372036854775808 1 1 0 5 1 1 0 0 0 0 0 0", "7 - 1 0 5 1 1 0 0 0 0 0 0", "7  1 1 0 5 1 1 0 0 0 0 0 0",
  ])
  mutating func `a line that is not one of these is no event`(_ line: String) {
    _ = events.line(count())
    #expect(events.event(Array(line.utf8)[...]) == nil)
  }
}
