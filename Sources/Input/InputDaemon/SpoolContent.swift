import Varlink

/// The readable content of a spool file.
///
/// Each line is independent: a damaged or unknown line is put into ``unreadable``, and other lines are still read.
struct SpoolContent {
  private(set) var state = DeliveryQueue.State()
  /// Lines that are damaged, or of another version or program.
  private(set) var unreadable: [[UInt8]] = []
  /// The identities of the waiting deliveries.
  private var identities: Set<String> = []
  /// Lines without a first byte. If no readable line follows, a process died while writing it.
  private var unfinished: [[UInt8]] = []

  init(parsing content: [UInt8]) {
    let lines = content.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for line in lines.dropLast() { read(line) }
    // A line without a first byte was not finished by its process, which has sent nothing of it. Everything else is
    // damage, except the zero bytes that fill the file.
    guard let rest = lines.last, let end = rest.lastIndex(where: { $0 != 0 }) else { return }
    let text = rest[...end].drop { $0 == 0 }
    let isUnfinished = text.startIndex > rest.startIndex
    if !isUnfinished || text.first == SpoolLine.waits { unreadable.append(Array(text)) }
  }

  private mutating func read(_ line: ArraySlice<UInt8>) {
    let text = line.drop { $0 == 0 }
    guard !text.isEmpty else { return }
    if let (start, entry) = Self.find(in: text) {
      (unreadable, unfinished) = (unreadable + unfinished, [])
      if start > text.startIndex { unreadable.append(Array(text[..<start])) }
      add(entry)
    } else if text.startIndex > line.startIndex {
      unfinished.append(Array(text))
    } else {
      unreadable.append(Array(text))
    }
  }

  /// Finds a line at the end of `text`, even if the line feeds before it are damaged.
  private static func find(in text: ArraySlice<UInt8>) -> (start: Int, SpoolLine)? {
    // Each position costs a checksum of all bytes after it. The search is bounded: it ends without a result after 16
    // times the bytes of the text.
    var affordable = 16 * text.count
    for start in text.indices.reversed() where SpoolLine.isHead(text[start...]) {
      if let line = SpoolLine(parsing: text[start...]) { return (start, line) }
      affordable -= text.endIndex - start
      if affordable < 0 { return nil }
    }
    return nil
  }

  private mutating func add(_ line: SpoolLine) {
    switch line {
    case .waiting(let entry):
      // A waiting line may occur twice; it is one delivery.
      if let identity = entry.delivery.identity, !identities.insert(identity).inserted { return }
      state.seen.note(entry.delivery)
      state.waiting.append(entry)
    case .seen(let entry): state.seen.note(entry)
    case .nothing: break
    }
  }
}
