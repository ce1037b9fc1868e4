/// The effect of the resets of a ``Replica``: it follows from the rows, and is kept up to date with each of them.
///
/// A count of another station needs a total, and a year has many resets with a row for each writer: the total must not
/// cost more with each of them.
struct ResetEffect: Equatable, Sendable {
  /// The register of each writer up to which the resets that hold have seen it.
  private(set) var floor: [WriterID: Register] = [:]
  /// The sum of all entries that no reset has seen. At most 2^64 registers, so it does not overflow.
  private(set) var total: Int128 = 0
  /// The resets that hold, and those that they build on, undone ones included.
  private(set) var applied: Set<Entry> = []

  init() {}

  /// The effect of rows, found from all of them.
  ///
  /// - Parameter complete: the resets that are known completely.
  init(
    _ registers: [WriterID: Register], _ resets: [Entry: Reset], complete: some Sequence<Entry>, undone: Set<Entry>
  ) {
    for (writer, register) in registers { raise(writer, from: nil, to: register) }
    for entry in complete where !undone.contains(entry) { hold(entry, of: resets, registers) }
  }

  /// A register has grown.
  mutating func raise(_ writer: WriterID, from former: Register?, to register: Register) {
    let least = floor[writer]
    total += register.change(since: least) - (former?.change(since: least) ?? 0)
  }

  /// A reset holds, whatever became of those that it builds on.
  mutating func hold(_ entry: Entry, of resets: [Entry: Reset], _ registers: [WriterID: Register]) {
    var next: Entry? = entry
    while let entry = next, let reset = resets[entry], applied.insert(entry).inserted {
      hold(reset.seen, registers)
      next = reset.base
    }
  }

  /// Registers are in a reset that holds.
  mutating func hold(_ seen: [WriterID: Register], _ registers: [WriterID: Register]) {
    for (writer, register) in seen {
      let least = floor[writer]
      let raised = register.joined(with: least)
      guard raised != least else { continue }
      floor[writer] = raised
      guard let known = registers[writer] else { continue }
      total += known.change(since: raised) - known.change(since: least)
    }
  }
}

extension Register {
  /// The sum of the changes after those of `floor`.
  func change(since floor: Register?) -> Int128 { change - (floor?.change ?? 0) }
}
