/// Plain names for the content of a journal, in singular and plural.
public struct RowWords: Sendable {
  public let one: String
  public let many: String

  /// A number of rows, such as “1 note”.
  public struct Number: Sendable {
    public let words: RowWords
    public let count: Int

    public var text: String { words.text(count) }
  }

  private init(_ one: String, _ many: String) { (self.one, self.many) = (one, many) }

  func text(_ count: Int) -> String { "\(count) \(count == 1 ? one : many)" }

  /// The content that people count, with the table and the condition of its rows.
  static let content = [
    (of("counter"), "counter WHERE kind = 'counter' AND NOT removed"),
    (RowWords("stopwatch", "stopwatches"), "counter WHERE kind = 'stopwatch' AND NOT removed"),
    (RowWords("group", "groups"), "counter WHERE kind = 'group' AND NOT removed"),
    (RowWords("formula", "formulas"), "counter WHERE kind = 'formula' AND NOT removed"),
    (of("event"), "event"), (of("event_note"), "event_note"),
  ]

  /// The name of the rows of a table.
  static func of(_ table: String) -> RowWords {
    // The other tables belong to the fleet.
    tables[table] ?? RowWords("record of the fleet", "records of the fleet")
  }

  private static let tables = [
    "event": RowWords("event", "events"), "counter": RowWords("counter", "counters"),
    "cause": RowWords("cause of events", "causes of events"), "standing": RowWords("value", "values"),
    "delivery": RowWords("delivery of a program", "deliveries of programs"),
    "producer": RowWords("program that delivers", "programs that deliver"),
    "alteration": RowWords("changed setting", "changed settings"), "event_note": RowWords("note", "notes"),
    "import": RowWords("import", "imports"),
    "current": RowWords("choice of the current counter", "choices of the current counter"),
  ]
}
