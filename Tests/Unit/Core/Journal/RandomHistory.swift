import Counting
import Foundation
import Journal
import TestKit

/// A journal with a history of counts, undos and redos at times that are not always in order, and the same events in
/// memory for a slow reading of them.
final class RandomHistory {
  private let temporary = TemporaryFolder()
  let store: CounterStore
  private(set) var ledger: Ledger
  private(set) var events: [Event] = [] { didSet { known = nil } }
  private var known: [Event]?
  private var generator: SeededRandom

  static let hour: Int64 = 3_600_000_000
  /// When it begins: 2026-11-21 08:00 UTC.
  static let beginning: Int64 = 1_795_248_000_000_000

  init(case number: Int, events count: Int, pace: Int64) throws {
    generator = Seed.generator(case: number)
    store = try CounterStore(folder: temporary.path)
    ledger = try store.load()
    var now = Self.beginning
    for name in ["a", "b", "c"] { try perform(.create(name: name, title: nil, start: 4, step: 1), now, "tally") }
    while events.count < count {
      now += Int64(random(UInt64(pace * 2)))
      // Now and then the clock was wrong, or somebody adds what he had forgotten.
      let time = random(40) == 0 ? now - Int64(random(UInt64(pace) * 400)) : now
      let target = Change.Target.named(["a", "a", "b", "c"][Int(random(4))])
      let cause = ["pedal", "clicker", "tally"][Int(random(40) == 0 ? 1 : random(2) * 2)]
      switch random(12) {
      case 0:
        let last = try store.lastUndoable(of: nil, in: ledger)
        if !last.isEmpty { try perform(.undo(last, .all), time, cause) }
      case 1:
        let last = try store.lastRedoable(of: nil, in: ledger)
        if !last.isEmpty { try perform(.redo(last, .all), time, cause) }
      case 2: try perform(.subtract(target, amount: .units(Int64(random(3)) + 1)), time, cause)
      case 3 where random(10) == 0: try perform(.reset(.one(target), isConfirmed: true), time, cause)
      default: try perform(.add(target, amount: .units(Int64(random(5)) + 1)), time, cause)
      }
      if random(30) == 0 { try commit() }
    }
  }

  func commit() throws {
    try store.commit(ledger.head)
    ledger.clearUndoLog()
  }

  func toggle(_ last: [Change.Takeback], isUndo: Bool) throws {
    try perform(isUndo ? .undo(last, .all) : .redo(last, .all), Self.beginning, "tally")
  }

  private func perform(_ change: Change, _ time: Int64, _ cause: String) throws {
    // An undo of the making of a counter takes it away; then nothing counts it.
    guard
      let made = try? ledger.perform(
        change, at: time,
        cause: Cause(producer: cause, device: "\(cause) 1", gesture: cause == "tally" ? nil : "press KEY_B"))
    else { return }
    for event in made { try store.append(event, to: ledger) }
    events += made
  }

  func random(_ bound: UInt64) -> UInt64 { generator.below(bound) }

  // MARK: The slow reading

  /// The counts that stand.
  func counts(of counters: Set<Counter.ID>?, from: Int64, until: Int64) -> [Event] {
    standing.filter { counters?.contains($0.counter) ?? true && from <= $0.time && $0.time < until }
  }

  /// The counts that stand, as they do since the last change.
  private var standing: [Event] {
    if let known { return known }
    let standing = self.standingNumbers
    let found = events.filter { ($0.kind == .added || $0.kind == .subtracted) && standing.contains($0.sequence) }
    known = found
    return found
  }

  private var standingNumbers: Set<Int64> {
    var standing = Set(events.map(\.sequence))
    for event in events.reversed() where standing.contains(event.sequence) {
      if let undone = event.undoes { standing.remove(undone) }
    }
    return standing
  }

  /// The value of a counter at a time, by the events that stand.
  func value(of counter: Counter.ID, at time: Int64) -> Int64? {
    let standing = standingNumbers
    var (value, isThere) = (Int64(4), false)
    for event in events where event.counter == counter && event.time <= time {
      if event.undoes == nil, standing.contains(event.sequence) { value += event.change }
      if event.kind == .created || standing.contains(event.sequence) { isThere = true }
    }
    return isThere ? value : nil
  }

  static func totals(of counts: [Event]) -> Totals {
    Totals(
      counts: Int64(counts.count), added: counts.filter { $0.kind == .added }.map(\.change).reduce(0, +),
      subtracted: -counts.filter { $0.kind == .subtracted }.map(\.change).reduce(0, +))
  }
}
