/// What a station had seen when it reset a counter: the registers that another reset had seen, and those that have grown
/// since. Entries up to them are gone; others stay.
///
/// No clock decides about a count. A reset builds on another one, so that its rows are not those of all writers that ever
/// were. With many rows it travels in parts, and it has no effect until it is complete.
public struct Reset: Equatable, Sendable {
  /// The reset that this one builds on, whether that one is undone or not; `nil` for none.
  public private(set) var base: Entry?
  /// How many rows the complete reset has.
  public private(set) var size: Int
  /// The registers that have grown since ``base``.
  public private(set) var seen: [WriterID: Register]
  /// The sum of the hashes of all rows, modulo 2^64. Stations with equal digests know the same rows.
  private(set) var digest: Int64

  /// A reset, or the part of one with `size` rows.
  public init(on base: Entry? = nil, size: Int? = nil, seen: [WriterID: Register]) {
    (self.base, self.size, self.seen) = (base, size ?? seen.count, seen)
    digest = seen.reduce(Self.hash(base)) { $0 &+ Self.hash($1.key, $1.value) }
  }

  /// Whether all rows are known; those that it builds on may still be missing.
  var hasAllRows: Bool { seen.count >= size }

  /// Whether ``join(_:)`` would change nothing.
  func covers(_ other: Reset) -> Bool {
    (base == nil || base == other.base) && size <= other.size
      && other.seen.allSatisfy { seen[$0.key]?.covers($0.value) == true }
  }

  /// Learns rows. Forms that build on different resets, of which one is forged, build on none from now on.
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

  private static func hash(_ base: Entry?) -> Int64 { base.map { StableHash.of($0.writer.words + [$0.number]) } ?? 0 }

  private static func hash(_ writer: WriterID, _ register: Register) -> Int64 {
    StableHash.of(writer.words + [register.number, register.added, register.subtracted, register.counts])
  }
}
