import Fleet

/// A broken invariant, by its number in the design: I1 to I9.
struct Violation: Error, Equatable, CustomStringConvertible {
  let invariant: String
  let text: String
  var description: String { "\(invariant): \(text)" }
}

/// What a disk or a memory must hold, kept apart from the values under test: only the numbers of entries, no sums.
struct Ghost: Equatable {
  var marks: [CounterPeriod: [WriterID: Int64]] = [:]
  /// The rows that are known of each reset.
  var resets: [Entry: Set<WriterID>] = [:]
  var undone: Set<Entry> = []
  /// The entries of this station, as far as it told anybody.
  var acknowledged: [Entry: CounterPeriod] = [:]
  var writers: Set<WriterID> = []
  var commands: [String: Int] = [:]

  /// What a message says.
  init(_ message: Message) {
    marks[message.period] = message.content.registers.mapValues(\.number)
    for (entry, reset) in message.content.resets {
      resets[entry] = Set(reset.seen.keys)
      marks[message.period]?.merge(reset.seen.mapValues(\.number), uniquingKeysWith: max)
    }
    undone = message.content.undone
  }

  init() {}

  /// Learns from others.
  mutating func join(_ other: Ghost) {
    marks.merge(other.marks) { $0.merging($1, uniquingKeysWith: max) }
    resets.merge(other.resets) { $0.union($1) }
    undone.formUnion(other.undone)
  }
}

/// All presses and resets that were ever made, one by one.
struct Oracle {
  private var presses: Set<Entry> = []
  /// The number and the sum so far of each press of a writer.
  private(set) var lines: [CounterPeriod: [WriterID: [(number: Int64, sum: Int128)]]] = [:]
  private(set) var resets: [Entry: PastReset] = [:]
  /// Writers that somebody forged registers of, and periods with forged resets.
  var forgedWriters: Set<WriterID> = []
  var forgedPeriods: Set<CounterPeriod> = []

  struct PastReset {
    let period: CounterPeriod
    /// The last entry of each writer that the resetter had seen.
    let marks: [WriterID: Int64]
    /// The writers of its rows, and the reset that it builds on.
    let rows: Set<WriterID>
    let base: Entry?
  }

  mutating func press(_ entry: Entry, _ change: Int64, in period: CounterPeriod) throws {
    guard presses.insert(entry).inserted else {
      throw Violation(invariant: "I6", text: "\(entry.short) names two acts")
    }
    let sum = lines[period]?[entry.writer]?.last?.sum ?? 0
    lines[period, default: [:]][entry.writer, default: []].append((entry.number, sum + Int128(change)))
  }

  mutating func reset(_ entry: Entry, _ reset: PastReset) throws {
    guard presses.insert(entry).inserted else {
      throw Violation(invariant: "I6", text: "\(entry.short) names two acts")
    }
    resets[entry] = reset
  }

  /// Whether a ghost knows all rows of a reset, and of those that it builds on.
  private func isKnown(_ entry: Entry, to ghost: Ghost) -> Bool {
    var next: Entry? = entry
    while let entry = next {
      guard let reset = resets[entry], ghost.resets[entry]?.isSuperset(of: reset.rows) == true else { return false }
      next = reset.base
    }
    return true
  }

  /// The total over the presses that a ghost knows and no reset of its knowledge has seen.
  func total(
    _ ghost: Ghost, _ period: CounterPeriod, of writers: Set<WriterID>? = nil, withResets: Bool = true
  ) -> Int128 {
    var floor: [WriterID: Int64] = [:]
    for (entry, reset) in resets where withResets && reset.period == period && !ghost.undone.contains(entry) {
      guard isKnown(entry, to: ghost) else { continue }
      floor.merge(reset.marks, uniquingKeysWith: max)
    }
    var total: Int128 = 0
    for (writer, line) in lines[period] ?? [:] where !forgedWriters.contains(writer) {
      if writers?.contains(writer) == false { continue }
      let (mark, least) = (ghost.marks[period]?[writer] ?? 0, floor[writer] ?? 0)
      guard mark > least else { continue }
      total += (line.last { $0.number <= mark }?.sum ?? 0) - (line.last { $0.number <= least }?.sum ?? 0)
    }
    return total
  }
}

extension Entry {
  var short: String { "\(writer.description.prefix(6))#\(number)" }
}
