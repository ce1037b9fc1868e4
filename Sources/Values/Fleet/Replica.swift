/// A station's knowledge of a counter in a period, or a part of it that travels in a message.
///
/// ``join(_:)`` is commutative, associative and idempotent, so that messages may be lost, repeated, late and in any
/// order: stations that know the same show the same total.
public struct Replica: Equatable, Sendable {
  public private(set) var registers: [WriterID: Register]
  public private(set) var resets: [Entry: Reset]
  /// The undone resets, including resets that are not known here yet.
  public private(set) var undone: Set<Entry>
  /// The chains of resets, which follow from the rows.
  private(set) var chains: ResetChains
  private(set) var effect: ResetEffect

  public init(registers: [WriterID: Register] = [:], resets: [Entry: Reset] = [:], undone: Set<Entry> = []) {
    (self.registers, self.resets, self.undone) = (registers, resets, undone)
    chains = ResetChains(resets)
    effect = ResetEffect(registers, resets, complete: chains.depths.keys, undone: undone)
  }

  /// Merges `other`, including the registers in its resets.
  ///
  /// - Returns: the resets that are complete from now on, each after its base.
  @discardableResult
  public mutating func join(_ other: Replica) -> [Entry] {
    let complete = merge(other)
    for reset in other.resets.values { raise(reset.seen) }
    return complete
  }

  /// Merges the parts of a message; returns the same as ``join(_:)``.
  @discardableResult
  mutating func merge(_ other: Replica) -> [Entry] {
    var complete: [Entry] = []
    raise(other.registers)
    let taken = other.undone.subtracting(undone)
    undone.formUnion(taken)
    var hasOtherBase = false
    for (entry, part) in other.resets {
      guard var reset = resets[entry] else {
        complete += add(entry, part)
        continue
      }
      let base = reset.base
      // Otherwise `join` would copy the rows.
      resets[entry] = nil
      reset.join(part)
      hasOtherBase = hasOtherBase || reset.base != base
      resets[entry] = reset
      if effect.applied.contains(entry) { effect.hold(part.seen, registers) }
      complete += hold(chains.complete(entry, of: resets))
    }
    if hasOtherBase {
      let former = chains.depths
      chains = ResetChains(resets)
      complete = (complete + chains.depths.keys.filter { former[$0] == nil }).filter(isHeld)
    }
    if hasOtherBase || taken.contains(where: isHeld) {
      effect = ResetEffect(registers, resets, complete: chains.depths.keys, undone: undone)
    }
    return complete.sorted { (chains.depths[$0] ?? 0, $0) < (chains.depths[$1] ?? 0, $1) }
  }

  /// Adds a reset that is unknown here.
  ///
  /// - Returns: the resets that are complete from now on.
  @discardableResult
  mutating func add(_ entry: Entry, _ reset: Reset) -> [Entry] {
    resets[entry] = reset
    chains.note(entry, on: reset.base)
    return hold(chains.complete(entry, of: resets))
  }

  /// Adds resets that are complete from now on to the effect.
  private mutating func hold(_ complete: [Entry]) -> [Entry] {
    for entry in complete where !undone.contains(entry) { effect.hold(entry, of: resets, registers) }
    return complete
  }

  private mutating func raise(_ rows: [WriterID: Register]) {
    for (writer, register) in rows {
      let former = registers[writer]
      let joined = register.joined(with: former)
      guard joined != former else { continue }
      registers[writer] = joined
      effect.raise(writer, from: former, to: joined)
    }
  }

  // MARK: Totals

  /// The change of the counter since its start: the sum of all entries that no reset includes.
  ///
  /// - Parameter writers: the writers of a share of the total; `nil` for all.
  public func total(of writers: Set<WriterID>? = nil) -> Int128 {
    guard let writers else { return effect.total }
    return writers.reduce(0) { sum, writer in
      sum + (registers[writer]?.change(since: effect.floor[writer]) ?? 0)
    }
  }

  /// Passes each writer with the sum of its entries that no reset includes.
  public func forEachTotal(_ body: (WriterID, Int128) -> Void) {
    let floor = effect.floor
    for (writer, register) in registers {
      body(writer, register.change(since: floor.isEmpty ? nil : floor[writer]))
    }
  }

  // MARK: Parts

  /// Whether ``join(_:)`` would change nothing.
  func covers(_ other: Replica) -> Bool {
    other.registers.allSatisfy { registers[$0.key]?.covers($0.value) == true }
      && other.resets.allSatisfy { resets[$0.key]?.covers($0.value) == true } && other.undone.isSubset(of: undone)
  }

  /// The number of rows that ``join(_:)`` would add.
  func newRows(in other: Replica) -> RowCount {
    var writers = Set(other.registers.keys)
    for reset in other.resets.values { writers.formUnion(reset.seen.keys) }
    let registers = writers.count { self.registers[$0] == nil }
    let seen = other.resets.reduce(0) { sum, reset in
      sum + reset.value.seen.keys.count { resets[reset.key]?.seen[$0] == nil }
    }
    let others = other.resets.keys.count { resets[$0] == nil } + other.undone.count { !undone.contains($0) }
    return RowCount(seen: seen, others: registers + others)
  }

  /// The writers whose register in `other` contradicts the one here.
  func contradictions(in other: Replica) -> Set<WriterID> {
    var rows = Array(other.registers)
    for reset in other.resets.values { rows += reset.seen }
    return Set(rows.lazy.filter { registers[$0.key]?.contradicts($0.value) == true }.map(\.key))
  }

  /// Whether a reset is known completely, with all resets below it.
  public func isHeld(_ reset: Entry) -> Bool { chains.depths[reset] != nil }

  /// Whether a reset is known completely and with this digest of its rows.
  func isHeld(_ reset: Entry, with digest: Int64) -> Bool { isHeld(reset) && resets[reset]?.digest == digest }

  /// A new reset that includes all registers.
  var reset: Reset {
    var (seen, next): ([WriterID: Register], Entry?) = ([:], chains.deepest)
    // The chain of a complete reset has no circle.
    while let base = next.flatMap({ resets[$0] }) {
      // The first reset of a chain has nearly all rows, which are not copied one by one.
      let (most, rest) = seen.count < base.seen.count ? (base.seen, seen) : (seen, base.seen)
      seen = most.merging(rest) { $0.joined(with: $1) }
      next = base.base
    }
    return Reset(on: chains.deepest, seen: seen.isEmpty ? registers : registers.filter { seen[$0.key] != $0.value })
  }
}
