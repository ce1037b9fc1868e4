import Varlink

/// The check that a file has all entries that were written to it.
///
/// A file of events begins with the version of its format, `{"tallymark": 1}`, and ends with the number of the entries
/// before the end: `{"end": {"entries": 104}}`. A file that begins otherwise may have no end.
struct Completeness {
  private var count: Int64 = 0
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
    if entry.object?["tallymark"] != nil { isPromised = true }
    return entry
  }

  /// - Throws: an ``ImportFile/Fault`` if the end is missing.
  func finish(line: Int) throws(ImportFile.Fault) {
    guard isPromised, !isEnded else { return }
    throw .init(
      line: line,
      reason: "the file ends here, without the entry that says how many there are: its last part is missing. Write it "
        + "again")
  }
}
