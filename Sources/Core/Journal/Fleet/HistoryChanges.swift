public import Counting
public import Fleet

/// The registers of quarter hours that the next commit saves.
public struct HistoryChanges: Sendable {
  /// A quarter hour of a writer and a counter, with the counter's local ID.
  public struct Key: Hashable, Sendable {
    public let counter: Counter.ID
    public let writer: WriterID
    public let quarter: Int64

    public init(_ counter: Counter.ID, _ writer: WriterID, _ quarter: Int64) {
      (self.counter, self.writer, self.quarter) = (counter, writer, quarter)
    }
  }

  /// A writer of a counter.
  public struct Author: Hashable, Sendable {
    public let counter: Counter.ID
    public let writer: WriterID

    public init(_ counter: Counter.ID, _ writer: WriterID) { (self.counter, self.writer) = (counter, writer) }
  }

  /// The contributions of own events to the registers.
  private(set) var made: [Key: QuarterRegister] = [:]
  /// The quarter hours in which undos or redos changed counts. The times of these counts must be read again.
  private(set) var retimed: Set<Key> = []
  /// Registers from messages.
  private(set) var heard: [Key: QuarterRegister] = [:]

  public init() {}

  public var isEmpty: Bool { made.isEmpty && heard.isEmpty }

  /// Adds the contribution of an own event.
  public mutating func make(_ contribution: QuarterRegister, _ key: Key) {
    made[key, default: QuarterRegister()].include(contribution)
    if contribution.first == nil { retimed.insert(key) }
  }

  /// Adds a register from a message.
  public mutating func hear(_ register: QuarterRegister, _ key: Key) {
    heard[key] = heard[key].map { max($0, register) } ?? register
  }

  /// The counters with registers from messages.
  public var heardCounters: Set<Counter.ID> { Set(heard.keys.map(\.counter)) }

  /// The writers with changes.
  public var authors: Set<Author> { Set([made.keys, heard.keys].joined().map { Author($0.counter, $0.writer) }) }
}

/// The history that a counter brings into a fleet.
public enum ImportedHistory: Sendable {
  /// The history of the counts made here, and of those received from other stations of former fleets.
  case all
  /// The history of the counts made here.
  case own
  /// The history of the counts made here since the counter was last shared.
  case ownSince
}
