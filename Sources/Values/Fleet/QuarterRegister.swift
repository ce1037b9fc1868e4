/// The counts that one writer made of a counter in a quarter hour, up to the entry ``number``.
///
/// Only the writer changes the register, and the copy with the highest number is the latest. The sums may fall and be
/// negative: an undo removes a count from the quarter hour of that count, which an earlier writer of the station may
/// have made.
public struct QuarterRegister: Hashable, Comparable, Sendable {
  /// The number of the writer's last entry that changed the sums.
  public private(set) var number: Int64
  public private(set) var counts: Int64
  /// The sum of the amounts added, in the counter's unit.
  public private(set) var added: Int64
  /// The sum of the amounts subtracted.
  public private(set) var subtracted: Int64
  /// The time of the first count that is not undone, in microseconds since 1970; `nil` for none.
  public private(set) var first: Int64?
  /// The time of the last count that is not undone, in microseconds since 1970; `nil` for none.
  public private(set) var last: Int64?

  public init(
    number: Int64 = 0, counts: Int64 = 0, added: Int64 = 0, subtracted: Int64 = 0, first: Int64? = nil,
    last: Int64? = nil
  ) {
    (self.number, self.counts, self.added, self.subtracted) = (number, counts, added, subtracted)
    (self.first, self.last) = (first, last)
  }

  /// Orders registers by their number, and registers with equal numbers by their contents, so that all stations choose
  /// the same copy after a forgery.
  public static func < (one: QuarterRegister, other: QuarterRegister) -> Bool {
    guard one.number == other.number else { return one.number < other.number }
    guard (one.counts, one.added, one.subtracted) == (other.counts, other.added, other.subtracted) else {
      return (one.counts, one.added, one.subtracted) < (other.counts, other.added, other.subtracted)
    }
    return (one.first ?? .min, one.last ?? .min) < (other.first ?? .min, other.last ?? .min)
  }

  /// Adds the sums of `other`, clamped to 64 bits. The higher number stays.
  public mutating func include(_ other: QuarterRegister) {
    number = max(number, other.number)
    counts = Self.sum(counts, other.counts)
    added = Self.sum(added, other.added)
    subtracted = Self.sum(subtracted, other.subtracted)
    if let moment = other.first { first = min(first ?? moment, moment) }
    if let moment = other.last { last = max(last ?? moment, moment) }
  }

  /// Whether a sum is not 0.
  public var hasSums: Bool { (counts, added, subtracted) != (0, 0, 0) }

  /// Subtracts the sums of `other`, clamped to 64 bits. The times stay.
  public mutating func remove(_ other: QuarterRegister) {
    counts = Int64(clamping: Int128(counts) - Int128(other.counts))
    added = Int64(clamping: Int128(added) - Int128(other.added))
    subtracted = Int64(clamping: Int128(subtracted) - Int128(other.subtracted))
  }

  /// Replaces the times of the first and the last count, after an undo of one of them.
  public mutating func setTimes(_ times: ClosedRange<Int64>?) { (first, last) = (times?.lowerBound, times?.upperBound) }

  private static func sum(_ one: Int64, _ other: Int64) -> Int64 { Int64(clamping: Int128(one) + Int128(other)) }
}

/// A position in the history of a writer: first the entry that changed a quarter hour last, then the quarter hour.
public struct HistoryMark: Hashable, Comparable, Sendable {
  public static let none = HistoryMark(number: 0, quarter: 0)

  /// The number of an entry.
  public let number: Int64
  /// The number of a quarter hour; the first one of 1970 is 0.
  public let quarter: Int64

  public init(number: Int64, quarter: Int64) { (self.number, self.quarter) = (number, quarter) }

  public static func < (one: HistoryMark, other: HistoryMark) -> Bool {
    (one.number, one.quarter) < (other.number, other.quarter)
  }
}

/// A digest of the registers that a station has of one writer: the last register, and a sum over all. Stations with
/// equal digests know the same registers.
public struct HistoryDigest: Hashable, Sendable {
  public static let none = HistoryDigest(mark: .none, sum: 0)

  /// The highest mark of a register.
  public private(set) var mark: HistoryMark
  /// The sum of the hashes of all registers, modulo 2^64. It reveals registers missing before the mark.
  public private(set) var sum: Int64

  public init(mark: HistoryMark, sum: Int64) { (self.mark, self.sum) = (mark, sum) }

  /// Replaces a register by a later one.
  public mutating func replace(_ former: QuarterRegister?, by register: QuarterRegister, in quarter: Int64) {
    mark = max(mark, HistoryMark(number: register.number, quarter: quarter))
    sum = sum &- (former?.hash(in: quarter) ?? 0) &+ register.hash(in: quarter)
  }
}

extension QuarterRegister {
  fileprivate func hash(in quarter: Int64) -> Int64 {
    var hash = StableHash()
    for number in [quarter, number, counts, added, subtracted, first ?? -1, last ?? -1] { hash.mix(number) }
    return hash.value
  }
}

/// A hash that is the same on all machines, so that stations can compare their rows by a few numbers. It does not
/// protect against forgery.
struct StableHash {
  private var hash: UInt64 = 0

  var value: Int64 { Int64(bitPattern: hash) }

  /// A step of SplitMix64.
  mutating func mix(_ number: Int64) {
    var mixed = (hash ^ UInt64(bitPattern: number)) &+ 0x9e37_79b9_7f4a_7c15
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    hash = mixed ^ mixed >> 31
  }
}
