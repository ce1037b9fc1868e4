import CounterStore
import Counting
import Foundation

/// A journal with a history of counts, undos and redos at times that are not always in order, and the same events in
/// memory for a slow reading of them.
final class RandomHistory {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tallymark-\(UUID())").path
  let store: CounterStore
  private(set) var ledger: Ledger
  private(set) var events: [Event] = []
  private var seed: UInt64

  static let hour: Int64 = 3_600_000_000
  /// When it begins: 2026-11-21 08:00 UTC.
  static let beginning: Int64 = 1_795_248_000_000_000

  init(seed: UInt64, events count: Int, pace: Int64) throws {
    self.seed = seed
    store = try CounterStore(folder: folder)
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

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func commit() throws {
    try store.commit(ledger)
    ledger.settle()
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

  func random(_ bound: UInt64) -> UInt64 {
    seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return bound == 0 ? 0 : (seed >> 33) % bound
  }

  // MARK: The slow reading

  /// The counts that stand.
  func counts(of counters: Set<Counter.ID>?, from: Int64, until: Int64) -> [Event] {
    var standing: [Int64: Bool] = [:]
    for event in events { standing[event.sequence] = true }
    for event in events.reversed() where standing[event.sequence] == true {
      if let undone = event.undoes { standing[undone] = false }
    }
    return events.filter { event in
      (event.kind == .added || event.kind == .subtracted) && standing[event.sequence] == true
        && counters?.contains(event.counter) ?? true && from <= event.time && event.time < until
    }
  }

  static func totals(of counts: [Event]) -> Totals {
    Totals(
      counts: Int64(counts.count), added: counts.filter { $0.kind == .added }.map(\.change).reduce(0, +),
      subtracted: -counts.filter { $0.kind == .subtracted }.map(\.change).reduce(0, +))
  }
}
