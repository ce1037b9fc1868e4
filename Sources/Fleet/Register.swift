/// The sum of all counts that one writer made of a counter in a period, up to the entry ``number``.
///
/// Only the writer changes it. Of two copies the greater one is the later one; the order beyond the number has no meaning
/// and makes all stations choose the same copy after a forgery.
public struct Register: Hashable, Comparable, Sendable {
  /// The number of the last entry in the sum; 0 for none.
  public let number: Int64
  /// The sum of the positive changes, in the counter's unit.
  public let added: Int64
  /// The sum of the negative changes, without the sign.
  public let subtracted: Int64
  /// How many entries are in the sum.
  public let counts: Int64

  public static let empty = Register(number: 0, added: 0, subtracted: 0, counts: 0)

  private init(number: Int64, added: Int64, subtracted: Int64, counts: Int64) {
    (self.number, self.added, self.subtracted, self.counts) = (number, added, subtracted, counts)
  }

  /// Numbers from outside; `nil` for numbers that no writer can have reached.
  public init?(received number: Int64, added: Int64, subtracted: Int64, counts: Int64) {
    guard added >= 0, subtracted >= 0, counts >= 1, counts <= number else { return nil }
    self.init(number: number, added: added, subtracted: subtracted, counts: counts)
  }

  /// The register after one more entry; `nil` beyond 64 bits, and for a number that is not a later one.
  func adding(_ change: Int64, as number: Int64) -> Register? {
    guard number > self.number, change != .min else { return nil }
    let (added, isHigh) = self.added.addingReportingOverflow(max(change, 0))
    let (subtracted, isLow) = self.subtracted.addingReportingOverflow(max(-change, 0))
    guard !isHigh, !isLow else { return nil }
    return Register(number: number, added: added, subtracted: subtracted, counts: counts + 1)
  }

  /// The sum of all changes.
  public var change: Int128 { Int128(added) - Int128(subtracted) }

  public static func < (one: Register, other: Register) -> Bool {
    (one.number, one.added, one.subtracted, one.counts) < (other.number, other.added, other.subtracted, other.counts)
  }

  /// Whether one writer cannot have written both: two machines use its ID, or somebody forged a register.
  public func contradicts(_ other: Register) -> Bool {
    let (before, after) = (min(self, other), max(self, other))
    guard before.number < after.number else { return before != after }
    let counts = after.counts.subtractingReportingOverflow(before.counts)
    let room = after.number.subtractingReportingOverflow(before.number)
    guard !counts.overflow, !room.overflow else { return true }
    return !(0...room.partialValue ~= counts.partialValue) || after.added < before.added
      || after.subtracted < before.subtracted
  }
}

/// The registers that a station had seen when it reset a counter. Entries up to them are gone; others stay.
///
/// No clock decides about a count. A reset with many registers travels in parts and has no effect until it is complete.
public struct Reset: Equatable, Sendable {
  /// How many registers the complete reset has.
  public private(set) var size: Int
  public private(set) var seen: [WriterID: Register]

  /// A reset, or the part of one with `size` registers.
  public init(size: Int? = nil, seen: [WriterID: Register]) {
    (self.size, self.seen) = (size ?? seen.count, seen)
  }

  public var isComplete: Bool { seen.count >= size }

  /// Whether ``join(_:)`` would change nothing.
  func covers(_ other: Reset) -> Bool {
    size <= other.size && other.seen.allSatisfy { $0.value <= seen[$0.key] ?? .empty }
  }

  mutating func join(_ other: Reset) {
    size = min(size, other.size)
    seen.merge(other.seen, uniquingKeysWith: max)
  }
}
