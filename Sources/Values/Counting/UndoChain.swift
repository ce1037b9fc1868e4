/// The identity of an event's later undos and redos: its undo, the redo of that undo, and so on. Equal for copies in
/// several journals, which have different sequence numbers.
public struct UndoChain: Hashable, Sendable {
  /// The number of undos and redos.
  public private(set) var count = 0
  /// A hash of their times and causes, valid within this process.
  private var hash = 0

  public init() {}

  /// Whether the event is undone.
  public var isUndone: Bool { !count.isMultiple(of: 2) }

  public mutating func add(_ taker: Event) {
    var hasher = Hasher()
    hasher.combine(hash)
    hasher.combine(taker.time)
    hasher.combine(taker.cause)
    (count, hash) = (count + 1, hasher.finalize())
  }
}
