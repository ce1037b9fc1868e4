import Counting
import JSON
import Linux

/// An import in progress: the entries that a client has sent so far.
///
/// Events are kept in a temporary file, so the memory depends on the number of counters, not of events.
final class StagedImport {
  private var archive = Archive()
  private var line = 0
  /// The numbers of entries and of events before the end.
  private var (entries, events): (Int64, Int64) = (0, 0)
  private var hasEnd = false
  private var isEnded = false
  private var file: TemporaryFile?
  private var compact = CompactEvents()
  private let folder: String

  /// The maximum size of all events in bytes.
  private static let limit = 8 << 30

  /// - Parameter folder: the folder for the temporary file.
  init(folder: String) { self.folder = folder }

  /// Adds entries.
  ///
  /// - Throws: ``LineError`` for an entry that is not valid, `SystemError` if it cannot be stored.
  func add(_ entries: [JSONObject]) throws {
    for entry in entries {
      line += 1
      do {
        try add(entry)
      } catch let error as SystemError {
        throw error
      } catch {
        let stated = entry.first { _ in true }?.value.object?["line"]?.int
        throw LineError(line: stated ?? Int64(line), reason: Self.reason(error))
      }
    }
  }

  /// The maximum number of values in one entry: a hundred times as many as a core writes.
  static let mostValues = 4096

  private func add(_ entry: JSONObject) throws {
    guard !isEnded else { throw ArchiveEntry.Fault(reason: "it follows the entry that ends the archive") }
    let entry = (object: entry, read: try ArchiveEntry(entry))
    if case .end(let events, let entries) = entry.read {
      isEnded = true
      try Self.check(events, self.events, "events")
      return try Self.check(entries, self.entries, "entries")
    }
    entries += 1
    switch entry.read {
    case .header: hasEnd = true
    case .end: break
    case .entity(let entry, let isCurrent):
      try archive.add(entry)
      if isCurrent { archive.current = entry.entity.id }
    case .event(let event):
      events += 1
      try archive.add(event)
      try keep(event, entry.object)
    case .value(let value): archive.values.append(value)
    case .count(let count): try archive.add(count)
    }
  }

  private static func check(_ stated: Int64?, _ found: Int64, _ things: String) throws {
    guard let stated, stated != found else { return }
    throw ArchiveEntry.Fault(
      reason: "the archive was written with \(stated) \(things), and has \(found): "
        + (stated > found ? "a part of it is missing" : "something was put into it"))
  }

  /// Stores an event, usually in the form of ``CompactEvents``. Reading this form takes a tenth of the time of JSON.
  private func keep(_ event: Event, _ entry: JSONObject) throws {
    let file = try self.file ?? TemporaryFile(in: folder)
    self.file = file
    guard file.count < Self.limit else { throw ArchiveEntry.Fault(reason: "the file has more than 8 GiB") }
    if let line = compact.line(event) {
      try file.append(line)
    } else {
      try file.append(Array((JSON.object(entry).description + "\n").utf8))
    }
  }

  /// Returns the complete archive.
  ///
  /// - Throws: ``LineError`` if the end is missing, or `SystemError`.
  func finish() throws -> Archive {
    guard !hasEnd || isEnded else {
      throw LineError(
        line: Int64(line) + 1,
        reason: "the entry that ends the archive is missing, and so may be others before it; export it again")
    }
    if let file {
      try file.flush()
      archive.events = StagedEvents(file: file, compact: compact)
    }
    return archive
  }

  private static func reason(_ error: any Error) -> String {
    switch error {
    case let error as CountingError: error.message
    case let error as ArchiveError: error.message
    case let error as ArchiveEntry.Fault: error.reason
    default: "\(error)"
    }
  }
}

/// The events of a ``StagedImport``. They were checked when they were added.
private struct StagedEvents: ArchivedEvents {
  let file: TemporaryFile
  let compact: CompactEvents

  func each(_ body: (Event) throws -> Void) throws {
    try file.lines.forEachLine(longest: 16 << 20) { line in
      if let event = compact.event(line) { return try body(event) }
      guard
        let object = try JSON(parsing: String(decoding: line, as: UTF8.self), values: StagedImport.mostValues).object,
        case .event(let event) = try ArchiveEntry(object)
      else { return }
      try body(event)
    }
  }
}

/// An entry that is not valid.
struct LineError: Error {
  /// The line that the entry states, or the number of the entry, from 1.
  let line: Int64
  let reason: String

  var message: String { "Line \(line) is not valid: \(reason)\(reason.hasSuffix(".") ? "" : ".")" }
}
