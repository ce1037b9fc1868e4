/// The entries that a station knew when it reset a counter: those in an earlier reset, its base, and the registers that
/// have grown since. These entries no longer count; others do.
///
/// Whether an entry counts never depends on a clock. Thanks to the base, a reset needs no rows for writers that have
/// not counted since. A reset with many rows travels in parts, and has no effect until it is complete.
public struct Reset: Equatable, Sendable {
  /// The reset that this one builds on, undone or not; `nil` for none.
  public private(set) var base: Entry?
  /// The number of rows of the complete reset.
  public private(set) var size: Int
  /// The registers that have grown since ``base``.
  public private(set) var seen: [WriterID: Register]
  /// The sum of the hashes of all rows, modulo 2^64. Stations with equal digests know the same rows.
  private(set) var digest: Int64

  /// A reset, or a part of a reset with `size` rows.
  public init(on base: Entry? = nil, size: Int? = nil, seen: [WriterID: Register]) {
    (self.base, self.size, self.seen) = (base, size ?? seen.count, seen)
    digest = seen.reduce(Self.hash(base)) { $0 &+ Self.hash($1.key, $1.value) }
  }

  /// Whether all rows are known; the base may still be missing.
  var hasAllRows: Bool { seen.count >= size }

  /// The part with the rows of some writers.
  public func rows(of writers: some Sequence<WriterID>) -> Reset {
    var rows: [WriterID: Register] = [:]
    for writer in writers { rows[writer] = seen[writer] }
    return Reset(on: base, size: size, seen: rows)
  }

  /// Whether ``join(_:)`` would change nothing.
  func covers(_ other: Reset) -> Bool {
    (base == nil || base == other.base) && size <= other.size
      && other.seen.allSatisfy { seen[$0.key]?.covers($0.value) == true }
  }

  /// Adds the rows of another copy of this reset. If the bases of both differ, one is forged, and neither is kept.
  mutating func join(_ other: Reset) {
    if base != other.base, base != nil {
      digest = digest &- Self.hash(base) &+ Self.hash(nil)
      base = nil
    }
    size = min(size, other.size)
    for (writer, register) in other.seen {
      let former = seen[writer]
      let joined = register.joined(with: former)
      guard joined != former else { continue }
      digest = digest &- (former.map { Self.hash(writer, $0) } ?? 0) &+ Self.hash(writer, joined)
      seen[writer] = joined
    }
  }

  private static func hash(_ base: Entry?) -> Int64 {
    guard let base else { return 0 }
    var hash = StableHash()
    base.writer.mix(into: &hash)
    hash.mix(base.number)
    return hash.value
  }

  private static func hash(_ writer: WriterID, _ register: Register) -> Int64 {
    var hash = StableHash()
    writer.mix(into: &hash)
    hash.mix(register.number)
    hash.mix(register.added)
    hash.mix(register.subtracted)
    hash.mix(register.counts)
    return hash.value
  }
}
