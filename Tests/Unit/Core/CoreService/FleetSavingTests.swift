import CoreAPI
import Counting
import Linux
import TestKit
import Testing

@testable import CoreService
@testable import Fleet
@testable import Journal

/// Rows of other stations that a commit saves.
extension `Cores in a fleet` {
  private static func rows(_ count: Int, from first: Int = 1) -> [Counters.FleetRegister] {
    (first..<first + count).map { number in
      let digits = String(number, radix: 16)
      let writer = String(repeating: "0", count: 64 - digits.count) + digits
      return .init(writer: writer, number: 1, added: 1, subtracted: 0, counts: 1)
    }
  }

  private static func message(_ counts: Counters.FleetCounts) -> Counters.StationMessage {
    var message = Counters.StationMessage(station: "door2", topic: "door2/answer")
    message.counts = counts
    return message
  }

  @Test func `many learned rows are committed at once, and few within a second`() throws {
    let (first, _) = try Self.pair()
    let counter = try #require(first.fleet.member.locals.keys.first).description
    first.commit()
    try first.turn()
    var number = 1
    for (count, isSaved) in [(10, false), (FleetService.mostUnsaved, true), (10, false)] {
      // However long a turn takes, the next commit of few rows is far away.
      first.fleet.lastLearned = Clock.boottime() + 3_600_000_000_000
      _ = first.fleet.learn([Self.message(.init(counter: counter, registers: Self.rows(count, from: number)))])
      number += count
      try first.turn()
      #expect(first.fleet.member.unsaved.isEmpty == isSaved)
    }
    try first.stopAndVerify()
  }

  @Test func `a reset that comes in parts is saved in parts`() throws {
    let (first, _) = try Self.pair()
    let counter = try #require(first.fleet.member.locals.keys.first)
    let period = CounterPeriod(counter)
    let rows = Self.rows(300)
    let entry = Counters.FleetEntry(writer: String(repeating: "a", count: 64), number: 5)
    for start in stride(from: 0, to: rows.count, by: 100) {
      let part = Array(rows[start..<start + 100])
      let reset = Counters.FleetReset(entry: entry, size: 300, registers: part)
      // Twice: the second time it has nothing new.
      for isNew in [true, false] {
        _ = first.fleet.learn([Self.message(.init(counter: counter.description, resets: [reset]))])
        let saved = try #require(first.fleet.member.unsaved.rows[period]?.parts.values.first ?? (isNew ? nil : []))
        #expect(saved.count == (isNew ? 100 : 0))
        first.commit()
      }
    }
    first.stop()
    try first.start()
    let reset = try #require(first.fleet.member.station.knowledge[period].resets.values.first)
    #expect(reset.hasAllRows && Set(reset.seen.keys.map(\.description)) == Set(rows.map(\.writer)))
    try first.stopAndVerify()
  }
}
