/// The effect of the resets of a ``Replica``. It follows from the rows, and is updated with each of them.
///
/// Each count of another station needs a total, and a year has many resets with a row for each writer: the cost of a
/// total must not grow with their number.
struct ResetEffect: Equatable, Sendable {
  /// For each writer, the register up to which the effective resets include its entries.
  private(set) var floor: [WriterID: Register] = [:]
  /// The sum of all entries that no reset includes. There are at most 2^64 registers, so the sum does not overflow.
  private(set) var total: Int128 = 0
  /// The effective resets and those below them, undone ones included.
  private(set) var applied: Set<Entry> = []

  init() {}

  /// The effect of all rows.
  ///
  /// - Parameter complete: the resets that are known completely.
  init(
    _ registers: [WriterID: Register], _ resets: [Entry: Reset], complete: some Sequence<Entry>, undone: Set<Entry>
  ) {
    for (writer, register) in registers { raise(writer, from: nil, to: register) }
    for entry in complete where !undone.contains(entry) { hold(entry, of: resets, registers) }
  }

  /// Updates the total after a register has grown.
  mutating func raise(_ writer: WriterID, from former: Register?, to register: Register) {
    let least = floor[writer]
    total += register.change(since: least) - (former?.change(since: least) ?? 0)
  }

  /// Makes a reset effective, with those below it, whether these are undone or not.
  mutating func hold(_ entry: Entry, of resets: [Entry: Reset], _ registers: [WriterID: Register]) {
    var next: Entry? = entry
    while let entry = next, let reset = resets[entry], applied.insert(entry).inserted {
      hold(reset.seen, registers)
      next = reset.base
    }
  }

  /// Raises the floor to the registers of an effective reset.
  mutating func hold(_ seen: [WriterID: Register], _ registers: [WriterID: Register]) {
    guard !floor.isEmpty else {
      floor = seen
      // The first reset of this station includes all registers.
      guard seen != registers else {
        total = 0
        return
      }
      for (writer, raised) in seen where registers[writer] != nil { total -= raised.change }
      return
    }
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
  /// The sum of the changes after `floor`.
  func change(since floor: Register?) -> Int128 { change - (floor?.change ?? 0) }
}
