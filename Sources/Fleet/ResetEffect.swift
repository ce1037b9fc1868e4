/// The effect of the resets of a ``Replica``: it follows from the rows, and is kept up to date with each of them.
///
/// A count of another station needs a total, and a year has many resets with a row for each writer: the total must not
/// cost more with each of them.
struct ResetEffect: Equatable, Sendable {
  /// The latest register of each writer in a reset that holds.
  private(set) var floor: [WriterID: Register] = [:]
  /// The sum of all entries that no reset has seen. At most 2^64 registers, so it does not overflow.
  private(set) var total: Int128 = 0

  init() {}

  /// The effect of rows, found from all of them.
  init(_ registers: [WriterID: Register], _ resets: [Entry: Reset], undone: Set<Entry>) {
    for (writer, register) in registers { raise(writer, from: nil, to: register) }
    for (entry, reset) in resets where reset.isComplete && !undone.contains(entry) { hold(reset.seen, registers) }
  }

  /// A register has grown.
  mutating func raise(_ writer: WriterID, from former: Register?, to register: Register) {
    let least = floor[writer]
    total += register.change(since: least) - (former?.change(since: least) ?? 0)
  }

  /// Registers are in a reset that holds.
  mutating func hold(_ seen: [WriterID: Register], _ registers: [WriterID: Register]) {
    for (writer, register) in seen {
      let least = floor[writer]
      if let least, least >= register { continue }
      floor[writer] = register
      guard let known = registers[writer] else { continue }
      total += known.change(since: register) - known.change(since: least)
    }
  }
}

extension Register {
  /// The sum of the changes after those of `floor`.
  func change(since floor: Register?) -> Int128 {
    guard let floor else { return change }
    return number > floor.number ? change - floor.change : 0
  }
}
