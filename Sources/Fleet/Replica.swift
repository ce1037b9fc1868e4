/// A station's knowledge of a counter in a period, or a part of it that travels in a message.
///
/// ``join(_:)`` is commutative, associative and idempotent, so that messages may be lost, repeated, late and in any order:
/// stations that know the same show the same total.
public struct Replica: Equatable, Sendable {
  public private(set) var registers: [WriterID: Register]
  public private(set) var resets: [Entry: Reset]
  /// Resets that were undone, also those that are not known here yet.
  public private(set) var undone: Set<Entry>

  public init(registers: [WriterID: Register] = [:], resets: [Entry: Reset] = [:], undone: Set<Entry> = []) {
    (self.registers, self.resets, self.undone) = (registers, resets, undone)
  }

  /// Learns `other`. The registers in its resets are learned as well.
  public mutating func join(_ other: Replica) {
    merge(other)
    for reset in other.resets.values { registers.merge(reset.seen, uniquingKeysWith: max) }
  }

  /// Puts the parts of a message together.
  mutating func merge(_ other: Replica) {
    registers.merge(other.registers, uniquingKeysWith: max)
    resets.merge(other.resets) { reset, part in
      var reset = reset
      reset.join(part)
      return reset
    }
    undone.formUnion(other.undone)
  }

  // MARK: Totals

  /// The change of the counter since its start: the sum of all entries that no reset has seen.
  ///
  /// - Parameter writers: those of a share of the total; `nil` for all. At most 2^64 registers, so it does not overflow.
  public func total(of writers: Set<WriterID>? = nil) -> Int128 {
    let floor = floor
    return registers.reduce(0) { sum, row in
      writers?.contains(row.key) == false ? sum : sum + row.value.change(since: floor[row.key])
    }
  }

  /// The change that takes a counter with this start to `value`; `nil` beyond 64 bits.
  public func correction(to value: Int64, from start: Int64) -> Int64? {
    Int64(exactly: Int128(value) - Int128(start) - total())
  }

  /// The latest register of each writer in a reset that holds.
  var floor: [WriterID: Register] {
    resets.reduce(into: [:]) { floor, reset in
      guard reset.value.isComplete, !undone.contains(reset.key) else { return }
      floor.merge(reset.value.seen, uniquingKeysWith: max)
    }
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
}

extension Register {
  /// The sum of the changes after those of `floor`.
  fileprivate func change(since floor: Register?) -> Int128 {
    guard let floor else { return change }
    return number > floor.number ? change - floor.change : 0
  }
}
