import JSON

/// Checks that a file has all entries that were written to it.
///
/// A file of events begins with the version of its format, `{"tallymark": 1}`, and ends with the number of the entries
/// before the end: `{"end": {"entries": 104}}`. A file with another beginning may have no end. In a file of values each
/// entry has that number, as a member or in the column `entries`, because every line is read as a value.
struct Completeness {
  private var count: Int64 = 0
  /// The number of entries according to the entries of a file of values.
  private var stated: Int64?
  private var isPromised = false
  private var isEnded = false

  // MARK: Writing

  /// Counts an entry that is written.
  mutating func written(_ entry: JSONObject) -> JSONObject {
    count += 1
    return entry
  }

  /// The last entry.
  var end: JSONObject { ["end": ["entries": .int(count)]] }

  // MARK: Reading

  /// Counts an entry.
  ///
  /// - Returns: the entry; `nil` for the end.
  /// - Throws: an ``ImportFile/Fault`` for an end after another number of entries, and an entry after the end.
  mutating func checked(_ entry: JSON, line: Int) throws(ImportFile.Fault) -> JSON? {
    guard !isEnded else { throw .init(line: line, reason: "it follows the entry that ends the file") }
    if let end = entry.object?["end"]?.object {
      isEnded = true
      guard let entries = end["entries"]?.int, entries != count else { return nil }
      throw .init(
        line: line,
        reason: "the file was written with \(entries) entries before its end, and has \(count): "
          + (entries > count ? "a part of it is missing" : "something was put into it"))
    }
    count += 1
    if entry.object?["name"] != nil { try state(entry.object?["entries"]?.int, line: line) }
    guard let version = entry.object?["tallymark"] else { return entry }
    isPromised = true
    // The version is not sent to the core, which would then expect an end with its own number of entries. A conditional
    // expression would return `nil` as a JSON null.
    guard version == 1 else { return entry }
    return nil
  }

  /// Counts a row of a table of values.
  ///
  /// - Parameter text: the row's field in the column `entries`; `nil` if it is empty or the table has no such column.
  mutating func row(_ text: String?, hasColumn: Bool, line: Int) throws(ImportFile.Fault) {
    count += 1
    guard let text else {
      guard !hasColumn else {
        throw .init(line: line, reason: "its “entries” is missing, so a part of the file may be")
      }
      return
    }
    guard let entries = Int64(text) else { throw .init(line: line, reason: "its “entries” is not a number") }
    try state(entries, line: line)
  }

  private mutating func state(_ entries: Int64?, line: Int) throws(ImportFile.Fault) {
    guard let entries else { return }
    guard entries == stated ?? entries else {
      throw .init(line: line, reason: "it is from another file than the lines before it: their “entries” differ")
    }
    stated = entries
  }

  /// - Throws: an ``ImportFile/Fault`` if the end is missing.
  func finish(line: Int) throws(ImportFile.Fault) {
    if let stated, stated != count {
      throw .init(
        line: line,
        reason: "the file was written with \(stated) entries, and has \(count): "
          + (stated > count ? "a part of it is missing" : "something was put into it")
          + ". If that is meant, take “entries” out of it")
    }
    guard isPromised, !isEnded else { return }
    throw .init(
      line: line,
      reason: "the file ends here, without the entry that says how many there are: its last part is missing. Write it "
        + "again")
  }
}
