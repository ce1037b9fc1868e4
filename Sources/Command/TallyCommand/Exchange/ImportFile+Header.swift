import Counting

/// The first records of a table: its header, and what stands in the place of one.
extension ImportFile {
  /// Refuses a table with a column for each time: its first record has times above numbers.
  static func refuseDatesAcross(_ first: CSV.Record, _ rows: ArraySlice<CSV.Record>) throws(Fault) {
    let across = first.fields.indices.filter { place in
      ExchangeTime.isTime(first.fields[place].trimmed)
        && rows.contains { $0.field(place).map(DecimalMark.isNumber) ?? false }
        && !rows.contains { $0.field(place).map(ExchangeTime.isTime) ?? false }
    }
    guard across.count > 1 else { return }
    throw Fault(
      line: first.line,
      reason: "it has times as headers, such as “\(first.fields[across[0]].trimmed.shortened)” above column "
        + "\(across[0] + 1). A table for tally has a row for each time: swap rows and columns, which spreadsheet programs "
        + "call “transpose”, and save it as “CSV UTF-8”")
  }

  /// Refuses a table with a title or a remark above its header: a later record has more texts, and a known word.
  static func refuseTitle(
    _ first: CSV.Record, _ records: [CSV.Record], _ choices: [ColumnChoice]
  ) throws(Fault) {
    func texts(_ record: CSV.Record) -> [String] { record.fields.map(\.trimmed).filter { !$0.isEmpty } }
    func isKnown(_ texts: [String]) -> Bool { texts.contains { Meaning(header: $0) != nil } }
    let title = texts(first)
    guard !isKnown(title), KnownFormat.of(first.fields.map(\.trimmed)) == nil else { return }
    let header = records.indices.dropFirst().prefix(mostTitles).first { index in
      let (record, names) = (records[index], texts(records[index]))
      return names.count > title.count && isKnown(names) && isHeader(record, of: Array(records[index...]), choices)
    }
    guard let header else { return }
    throw Fault(
      line: first.line, reason: "it is no header. Remove the lines above line \(records[header].line), which is one")
  }

  /// Refuses a first record that may be a header or a row: it has a word of headers, and a number or a time. With a
  /// person's choices it is a row, because these name columns by their numbers.
  static func refuseUnclearHeader(_ first: CSV.Record, _ choices: [ColumnChoice]) throws(Fault) {
    let names = first.fields.map(\.trimmed)
    guard choices.isEmpty, let word = names.first(where: { Meaning(header: $0) != nil }),
      let number = names.first(where: { DecimalMark.isNumber($0) || ExchangeTime.isTime($0) })
    else { return }
    throw Fault(
      line: first.line,
      reason: "it may be a header, because of “\(word.shortened)”, or a row, because of “\(number.shortened)”. If it "
        + "is a header, write a word in the place of “\(number.shortened)”; if it is a row, write a header above it")
  }

  /// The maximum number of records above a header in which a header is searched for.
  private static let mostTitles = 20

  /// Whether the first record contains the column names: it has no number and no time, and a known word, or texts that
  /// are in no other row of a column.
  static func isHeader(_ first: CSV.Record, of records: [CSV.Record], _ choices: [ColumnChoice]) -> Bool {
    let names = first.fields.map(\.trimmed)
    guard !names.contains(where: { DecimalMark.isNumber($0) || ExchangeTime.isTime($0) }) else { return false }
    if names.contains(where: { Meaning(header: $0) != nil }) || KnownFormat.of(names) != nil { return true }
    if choices.contains(where: { names.contains($0.column) }) { return true }
    return names.indices.contains { place in
      let texts = records.dropFirst().lazy.compactMap { $0.field(place) }
      // One bad cell makes no header a row.
      return texts.count { DecimalMark.isNumber($0) || ExchangeTime.isTime($0) } * 2 > texts.count
    }
  }

  /// Columns that are counters only if the core has counters with their names.
  struct Doubts {
    /// The line of the header.
    var line = 1
    var columns: [String] = []

    /// The fault of the columns without such a counter; `nil` if all have one.
    func fault(_ counters: Set<String>) -> Fault? {
      let columns = columns.filter { !counters.contains(CounterName.text(like: $0)) }
      guard let first = columns.first else { return nil }
      let options = columns.map { TableColumns.choice(.passedOver, $0) }.joined(separator: " ")
      return Fault(
        line: line,
        reason: "\(columns.map { "“\($0.shortened)”" }.joined(separator: ", ")) may be no "
          + "counter\(columns.count == 1 ? "" : "s"): a table has sums, goals, weeks and measures in such columns. "
          + "To leave out: \(options); to count one: \(TableColumns.choice(.counts, first))")
    }
  }
}
