/// A message between stations about a counter in a period. Each part is optional; messages may be lost, repeated, late
/// and in any order.
public struct Message: Equatable, Sendable {
  /// The version of the format that is written, and the highest that is read.
  public static let version: Int64 = 1
  /// The maximum length in bytes.
  public static let maximumLength = 16_384
  /// The rows per message: half of the length at typical numbers. A row takes at most 380 bytes with its head.
  static let rows = 40

  public let period: CounterPeriod
  /// Registers, parts of resets and undone resets to merge.
  public private(set) var content: Replica
  /// Resets that the sender knows completely, with the digests of their rows.
  public private(set) var held: [Entry: Int64]
  /// Resets that the sender asks a station for.
  public private(set) var asked: Set<Entry>
  /// The station that is asked. All stations receive its reply.
  public private(set) var of: String?
  /// The writer's last quarter hours, so that receivers of its register know when the counts were made.
  public var page: HistoryMessage.Page?
  /// The maximum number of quarter hours in ``page``.
  public static let pageRows = 20

  public init(
    _ period: CounterPeriod, _ content: Replica = Replica(), held: [Entry: Int64] = [:], asked: Set<Entry> = [],
    of station: String? = nil, page: HistoryMessage.Page? = nil
  ) {
    (self.period, self.content, self.held, self.asked, self.page) = (period, content, held, asked, page)
    of = station
  }

  /// The parts as messages of limited length, in an order that follows from the content; empty without parts.
  public func split() -> [Message] { split(into: Self.rows) }

  func split(into length: Int) -> [Message] { Message.split([self], of: period, into: length) }

  /// The parts of messages about one period, in the order of the messages.
  static func split(_ messages: [Message], of period: CounterPeriod, into length: Int = rows) -> [Message] {
    let rows = messages.flatMap(\.rows)
    return stride(from: 0, to: rows.count, by: length).map { start in
      rows[start..<min(start + length, rows.count)].reduce(into: Message(period)) { message, row in
        message.content.merge(row.content)
        message.held.merge(row.held) { $1 }
        message.asked.formUnion(row.asked)
        message.of = row.of ?? message.of
      }
    }
  }

  private var rows: [Message] {
    var parts = content.registers.sorted { $0.key < $1.key }.map { Replica(registers: [$0.key: $0.value]) }
    for (entry, reset) in content.resets.sorted(by: { $0.key < $1.key }) {
      if reset.seen.isEmpty { parts.append(Replica(resets: [entry: reset])) }
      for (writer, register) in reset.seen.sorted(by: { $0.key < $1.key }) {
        parts.append(Replica(resets: [entry: Reset(on: reset.base, size: reset.size, seen: [writer: register])]))
      }
    }
    parts += content.undone.sorted().map { Replica(undone: [$0]) }
    return parts.map { Message(period, $0) }
      + held.sorted { $0.key < $1.key }.map { Message(period, held: [$0.key: $0.value]) }
      + asked.sorted().map { Message(period, asked: [$0], of: of) }
  }
}
