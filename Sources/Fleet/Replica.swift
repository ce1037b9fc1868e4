/// A station's knowledge of a counter in a period, or a part of it that travels in a message.
///
/// ``join(_:)`` is commutative, associative and idempotent, so that messages may be lost, repeated, late and in any order:
/// stations that know the same show the same total.
public struct Replica: Equatable, Sendable {
  public private(set) var registers: [WriterID: Register]
  public private(set) var resets: [Entry: Reset]
  /// Resets that were undone, also those that are not known here yet.
  public private(set) var undone: Set<Entry>
  /// Follows from the rows.
  private(set) var effect: ResetEffect

  public init(registers: [WriterID: Register] = [:], resets: [Entry: Reset] = [:], undone: Set<Entry> = []) {
    (self.registers, self.resets, self.undone) = (registers, resets, undone)
    effect = ResetEffect(registers, resets, undone: undone)
  }

  /// Learns `other`. The registers in its resets are learned as well.
  public mutating func join(_ other: Replica) {
    merge(other)
    for reset in other.resets.values { raise(reset.seen) }
  }

  /// Puts the parts of a message together.
  mutating func merge(_ other: Replica) {
    raise(other.registers)
    let taken = other.undone.subtracting(undone)
    undone.formUnion(taken)
    for (entry, part) in other.resets {
      let wasComplete = isHeld(entry)
      resets[entry, default: Reset(size: part.size, seen: [:])].join(part)
      guard !undone.contains(entry), let reset = resets[entry], reset.isComplete else { continue }
      effect.hold(wasComplete ? part.seen : reset.seen, registers)
    }
    if taken.contains(where: isHeld) { effect = ResetEffect(registers, resets, undone: undone) }
  }

  private mutating func raise(_ rows: [WriterID: Register]) {
    for (writer, register) in rows {
      let former = registers[writer]
      if let former, former >= register { continue }
      registers[writer] = register
      effect.raise(writer, from: former, to: register)
    }
  }

  // MARK: Totals

  /// The change of the counter since its start: the sum of all entries that no reset has seen.
  ///
  /// - Parameter writers: those of a share of the total; `nil` for all.
  public func total(of writers: Set<WriterID>? = nil) -> Int128 {
    guard let writers else { return effect.total }
    return writers.reduce(0) { sum, writer in
      sum + (registers[writer]?.change(since: effect.floor[writer]) ?? 0)
    }
  }

  /// The change that takes a counter with this start to `value`; `nil` beyond 64 bits.
  public func correction(to value: Int64, from start: Int64) -> Int64? {
    Int64(exactly: Int128(value) - Int128(start) - total())
  }

  // MARK: Parts

  /// Whether ``join(_:)`` would change nothing.
  func covers(_ other: Replica) -> Bool {
    other.registers.allSatisfy { $0.value <= registers[$0.key] ?? .empty }
      && other.resets.allSatisfy { resets[$0.key]?.covers($0.value) == true } && other.undone.isSubset(of: undone)
  }

  /// How many rows ``join(_:)`` would add.
  func newRows(in other: Replica) -> Int {
    var writers = Set(other.registers.keys)
    for reset in other.resets.values { writers.formUnion(reset.seen.keys) }
    let registers = writers.count { self.registers[$0] == nil }
    let seen = other.resets.reduce(0) { sum, reset in
      guard let known = resets[reset.key] else { return sum + 1 + reset.value.seen.count }
      return sum + reset.value.seen.keys.count { known.seen[$0] == nil }
    }
    return registers + seen + other.undone.count { !undone.contains($0) }
  }

  /// The writers of whom `other` has a register that contradicts the one here.
  func contradictions(in other: Replica) -> Set<WriterID> {
    var rows = Array(other.registers)
    for reset in other.resets.values { rows += reset.seen }
    return Set(rows.lazy.filter { registers[$0.key]?.contradicts($0.value) == true }.map(\.key))
  }

  /// The complete resets.
  var held: Set<Entry> { Set(resets.lazy.filter(\.value.isComplete).map(\.key)) }

  /// Whether a reset is known completely.
  func isHeld(_ reset: Entry) -> Bool { resets[reset]?.isComplete == true }
}
