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
  public let content: Replica
  /// Resets that the sender knows completely, with the digests of their rows.
  public let held: [Entry: Int64]
  /// Resets that the sender asks a station for.
  public let asked: Set<Entry>
  /// The station that is asked. All stations receive its reply.
  public let of: String?
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
    var rows = Rows()
    for message in messages { rows.add(message) }
    return stride(from: 0, to: rows.all.count, by: length).map { start in
      rows.message(of: period, start..<min(start + length, rows.all.count))
    }
  }

  /// The rows of messages, in an order that follows from the content.
  private struct Rows {
    /// Resets without their rows.
    private var resets: [(entry: Entry, base: Entry?, size: Int)] = []
    private(set) var all: [Row] = []
    private var station: String?

    /// A row. A row of a reset has the index of the reset, so that it is small: a large reset has many rows.
    enum Row {
      case register(WriterID, Register)
      case reset(Int)
      case seen(Int, WriterID, Register)
      case undone(Entry)
      case held(Entry, Int64)
      case asked(Entry)
    }

    mutating func add(_ message: Message) {
      let content = message.content
      all += content.registers.sorted { $0.key < $1.key }.map { .register($0.key, $0.value) }
      for (entry, reset) in content.resets.sorted(by: { $0.key < $1.key }) {
        if reset.seen.isEmpty { all.append(.reset(resets.count)) }
        let index = resets.count
        all += reset.seen.sorted { $0.key < $1.key }.map { .seen(index, $0.key, $0.value) }
        resets.append((entry, reset.base, reset.size))
      }
      all += content.undone.sorted().map(Row.undone)
      all += message.held.sorted { $0.key < $1.key }.map { .held($0.key, $0.value) }
      all += message.asked.sorted().map(Row.asked)
      station = message.of ?? station
    }

    func message(of period: CounterPeriod, _ range: Range<Int>) -> Message {
      var (registers, seen): ([WriterID: Register], [Int: [WriterID: Register]]) = ([:], [:])
      var (undone, held, asked): (Set<Entry>, [Entry: Int64], Set<Entry>) = ([], [:], [])
      for row in all[range] {
        switch row {
        case .register(let writer, let register): registers[writer] = register.joined(with: registers[writer])
        case .reset(let index): seen[index] = [:]
        case .seen(let index, let writer, let register): seen[index, default: [:]][writer] = register
        case .undone(let entry): undone.insert(entry)
        case .held(let entry, let digest): held[entry] = digest
        case .asked(let entry): asked.insert(entry)
        }
      }
      let parts = seen.map { index, seen in
        (resets[index].entry, Reset(on: resets[index].base, size: resets[index].size, seen: seen))
      }
      let content = Replica(registers: registers, resets: Dictionary(parts) { $1 }, undone: undone)
      return Message(period, content, held: held, asked: asked, of: asked.isEmpty ? nil : station)
    }
  }
}
