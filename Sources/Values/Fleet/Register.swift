/// The sum of all counts that one writer made of a counter in a period, up to the entry ``number``.
///
/// Only the writer changes the register, and none of its numbers ever falls. Of two copies the one with the greater
/// numbers is the later one; from copies that contradict each other, all stations take the greater of each number.
public struct Register: Hashable, Sendable {
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

  /// A register with numbers from outside; `nil` for numbers that no writer can have reached.
  public init?(received number: Int64, added: Int64, subtracted: Int64, counts: Int64) {
    guard added >= 0, subtracted >= 0, counts >= 1, counts <= number else { return nil }
    self.init(number: number, added: added, subtracted: subtracted, counts: counts)
  }

  /// The register after one more entry; `nil` beyond 64 bits, or if `number` is not higher.
  func adding(_ change: Int64, as number: Int64) -> Register? {
    guard number > self.number, change != .min else { return nil }
    let (added, isHigh) = self.added.addingReportingOverflow(max(change, 0))
    let (subtracted, isLow) = self.subtracted.addingReportingOverflow(max(-change, 0))
    guard !isHigh, !isLow else { return nil }
    return Register(number: number, added: added, subtracted: subtracted, counts: counts + 1)
  }

  /// The sum of all changes.
  public var change: Int128 { Int128(added) - Int128(subtracted) }

  /// The register with the greater of each number.
  public func joined(with other: Register?) -> Register {
    guard let other else { return self }
    return Register(
      number: max(number, other.number), added: max(added, other.added), subtracted: max(subtracted, other.subtracted),
      counts: max(counts, other.counts))
  }

  /// Whether ``joined(with:)`` would change nothing.
  func covers(_ other: Register) -> Bool { joined(with: other) == self }

  /// Whether one writer cannot have written both: two machines use the writer's ID, or a register is forged.
  func contradicts(_ other: Register) -> Bool {
    let (before, after) = number < other.number ? (self, other) : (other, self)
    guard before.number < after.number else { return before != after }
    let counts = after.counts.subtractingReportingOverflow(before.counts)
    let room = after.number.subtractingReportingOverflow(before.number)
    guard !counts.overflow, !room.overflow else { return true }
    return !(0...room.partialValue ~= counts.partialValue) || after.added < before.added
      || after.subtracted < before.subtracted
  }
}
