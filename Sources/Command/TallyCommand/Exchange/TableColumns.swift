import Counting

/// The columns of a table with their meanings.
struct TableColumns {
  /// The recognised format; `nil` if the meanings of the columns follow from the headers alone.
  private(set) var format: String?
  /// The texts for a missing value.
  private(set) var noValues: Set<String> = []
  /// Whether the name of a choice may follow a value, after a colon.
  private(set) var valuesHaveLabels = false
  /// The headers of the columns that have texts and are left out.
  private(set) var leftOut: [String] = []
  /// Whether the format is that of a program, tally included.
  private(set) var isOfKnownProgram = false
  /// The headers by position.
  private var names: [Int: String] = [:]
  private var places: [Meaning: Int] = [:]
  /// The positions of setting columns.
  private(set) var settings: [SettingColumn: Int] = [:]
  /// The columns that contain a separate counter each.
  private(set) var counters: [OwnCounter] = []
  /// The headers of those whose names are words for other numbers than counts, and whose meaning nobody stated.
  private(set) var doubtful: [String] = []

  struct OwnCounter {
    let place: Int
    let name: String
    /// Whether the fields are those of ``HabitMark``.
    let isOfMarks: Bool
    /// Whether the marks are numbers only.
    let isOfNumbers: Bool
  }

  subscript(_ meaning: Meaning) -> Int? { places[meaning] }

  /// Whether tally wrote the table, with the settings of the counters.
  var hasSettings: Bool { !settings.isEmpty || places[.entries] != nil }

  /// The column of times.
  var time: (place: Int, meaning: Meaning)? {
    [Meaning.time, .dayFirst, .monthFirst].lazy.compactMap { meaning in places[meaning].map { ($0, meaning) } }.first
  }

  /// The header of a column; without one its number, from 1.
  func name(of place: Int) -> String { names[place] ?? "\(place + 1)" }

  // MARK: With a header

  /// Finds the meaning of each column.
  ///
  /// - Throws: an ``ImportFile/Fault`` with the columns of unknown meaning, and those with the same meaning.
  init(header: CSV.Record, rows: [CSV.Record], _ choices: [ColumnChoice]) throws(ImportFile.Fault) {
    func fault(_ reason: String) -> ImportFile.Fault { ImportFile.Fault(line: header.line, reason: reason) }
    let names = header.fields.map(\.trimmed)
    guard !Set(names).isSuperset(of: KnownFormat.eventColumns) else {
      throw fault(
        "it is a table of events for spreadsheets, without the settings of the counters. To read events back, write them "
          + "with: tally export --json --events")
    }
    let known = KnownFormat.of(names)
    (format, noValues) = (known?.title, known?.noValues ?? [])
    valuesHaveLabels = known?.valuesHaveLabels ?? false
    isOfKnownProgram = known != nil
    for (place, name) in names.enumerated() where !name.isEmpty { self.names[place] = name }
    let width = try Self.width([header] + rows)
    try Self.checkLengths(of: rows, below: names.count, choices)
    var columns = (0..<width).map {
      Column($0, header: names.indices.contains($0) ? names[$0] : "", rows)
    }
    var meanings = columns.map { column in
      choices.first { $0.column == column.name }?.meaning ?? known?.columns[column.header.headerWord]
        ?? Meaning(header: column.header)
    }
    meanings.useTitlesAsNames()
    for place in columns.indices where [nil, .marks, .name].contains(meanings[place]) {
      columns[place].look(through: rows)
    }
    let all = Self.quoted(columns.filter { !$0.header.isEmpty || !$0.isEmpty })
    for choice in choices where !columns.contains(where: { $0.name == choice.column }) {
      throw fault("there is no column “\(choice.column.shortened)”; the columns are \(all)")
    }
    meanings.pairDateWithClock(names)
    let unknown = columns.filter { meanings[$0.place] == nil && !$0.isEmpty }
    if !unknown.isEmpty, let meaning = try Self.ownCounters(unknown, of: columns, meanings, fault) {
      format = meaning == .marks ? KnownFormat.loop : KnownFormat.wide
      for column in unknown { meanings[column.place] = meaning }
      if meaning == .counts { doubtful = Self.doubtful(unknown.map { ($0.place, $0.name) }, rows) }
    } else if let odd = Self.oddField(of: unknown, meanings) {
      throw ImportFile.Fault(line: odd.line, reason: odd.reason)
    } else if unknown.count > 1, let reason = Self.reason(toLeaveOutSumsOf: unknown, of: columns, meanings) {
      throw fault(reason)
    } else if !unknown.isEmpty {
      throw fault(
        "the meaning of the column\(unknown.count == 1 ? "" : "s") \(Self.quoted(unknown)) is not known. Say it, like "
          + "\(Self.choice(.name, unknown.prefix(1))), or leave the column out: \(Self.choice(.passedOver, unknown)). "
          + "The meanings are \(Meaning.explanation)")
    }
    for column in columns {
      switch meanings[column.place] {
      case nil: break
      case .setting?: if let setting = SettingColumn(header: column.header) { settings[setting] = column.place }
      case .passedOver?: if !column.isEmpty, known == nil || format != nil { leftOut.append(column.name) }
      case let meaning? where meaning.isRepeatable:
        if let other = counters.first(where: { $0.name == column.name }) {
          throw fault(
            "the columns \(other.place + 1) and \(column.place + 1) would both be the counter “\(column.name.shortened)”"
          )
        }
        counters.append(
          .init(
            place: column.place, name: column.name, isOfMarks: meaning == .marks,
            isOfNumbers: column.holdsNumbersOfMarks))
      case let meaning?:
        if let other = places[meaning] ?? (meaning.isTime ? time?.place : nil) {
          let remedy =
            columns[other].name == column.name
            ? "Give one of them another header" : "Leave one of them out: \(Self.choice(.passedOver, [column]))"
          throw fault(
            "the columns \(Self.quoted([columns[other], column])) have the same meaning, \(meaning.rawValue). \(remedy)"
          )
        }
        places[meaning] = column.place
      }
    }
    try checkPartners(columns.filter { !$0.isEmpty }, rows, choices, fault)
    if time != nil, counters.isEmpty, let place = places[.value], !columns[place].isEmpty,
      !choices.contains(where: { $0.column == columns[place].name })
    {
      guard !Meaning.standings.contains(names[place].headerWord) else {
        throw fault(
          "the column \(Self.quoted([columns[place]])) may hold what each row adds, or how the counter stood then. If each "
            + "row adds: \(Self.choice(.amount, [columns[place]])); otherwise import the last row of each counter, without "
            + "its time")
      }
      format = format ?? "a table of counts: each row adds its \(Self.quoted([columns[place]]))"
    }
    try checkUse { fault("\($0); the columns are \(all)") }
  }

  /// The unknown columns as separate counters, if the table has only times and numbers.
  ///
  /// - Returns: `nil` if the table has other fields.
  /// - Throws: the fault of numbers that may be marks.
  private static func ownCounters(
    _ unknown: [Column], of columns: [Column], _ meanings: [Meaning?], _ fault: (String) -> ImportFile.Fault
  ) throws(ImportFile.Fault) -> Meaning? {
    guard meanings.contains(where: { $0?.isTime ?? false }),
      meanings.allSatisfy({ $0.map { $0.isTime || $0 == .clock || $0.isRepeatable } ?? true }),
      unknown.allSatisfy({ !$0.header.isEmpty && $0.holdsNumbersOrMarks })
    else { return nil }
    if unknown.contains(where: \.holdsMarks) { return .marks }
    // Loop Habit Tracker ends each line with a comma, and earlier versions of it write -1 for a day without data.
    let isEndEmpty = columns.last.map { $0.header.isEmpty && $0.isEmpty } ?? false
    guard isEndEmpty || unknown.contains(where: \.holdsMinusOne) else { return .counts }
    throw fault(
      "the numbers of \(quoted(unknown)) may be amounts, or marks of Loop Habit Tracker, where 2 is a day done and 1000 is "
        + "one. Say it: \(choice(.counts, unknown)) or \(choice(.marks, unknown))")
  }

  /// The first field that is not a number, if the table has times and its unknown columns have mostly numbers.
  private static func oddField(of unknown: [Column], _ meanings: [Meaning?]) -> (line: Int, reason: String)? {
    guard meanings.contains(where: { $0?.isTime ?? false }),
      unknown.allSatisfy({ $0.holdsMostlyNumbers || $0.resemblesNumbers }),
      let column = unknown.filter({ $0.odd != nil }).min(by: { $0.odd?.line ?? 0 < $1.odd?.line ?? 0 }),
      let odd = column.odd
    else { return nil }
    return (
      odd.line,
      "“\(odd.text.shortened)” in the column \(quoted([column])) is no number. Correct it, or leave the column out: "
        + choice(.passedOver, [column])
    )
  }

  // MARK: Without a header

  /// The first field of a column that is no time or no number, if most others are.
  private static func oddField(of column: Column) -> ImportFile.Fault? {
    guard !column.holdsTimes, !column.holdsNumbers else { return nil }
    let (odd, kind) = column.timeBalance > 0 ? (column.oddTime, "time") : (column.odd, "number")
    guard let odd, max(column.timeBalance, column.balance) > 0 else { return nil }
    return ImportFile.Fault(
      line: odd.line,
      reason: "“\(odd.text.shortened)” in column \(column.name) is no \(kind). Correct it, or leave the column out: "
        + choice(.passedOver, [column]))
  }

  /// Finds the meaning of each column from the content of all rows.
  ///
  /// - Throws: an ``ImportFile/Fault`` if two columns have the same content.
  init(without header: (), rows: [CSV.Record], _ choices: [ColumnChoice]) throws(ImportFile.Fault) {
    func fault(_ reason: String) -> ImportFile.Fault { ImportFile.Fault(line: rows.first?.line ?? 1, reason: reason) }
    var columns = (0..<(try Self.width(rows))).map { Column($0, header: "", rows) }
    for place in columns.indices { columns[place].look(through: rows) }
    for choice in choices where !columns.contains(where: { $0.name == choice.column }) {
      throw fault("the table has no header, so its columns are numbers: name=1; “\(choice.column.shortened)” is none")
    }
    for column in columns where !column.isEmpty {
      let choice = choices.first { $0.column == column.name }?.meaning
      if choice == .passedOver { continue }
      guard choice?.isRepeatable != true else {
        throw fault(
          "the table has no header, so no counter has the name of column \(column.name). If its numbers are of one "
            + "counter: \(Self.choice(.amount, [column])); otherwise write a line with the names above the first row")
      }
      guard choice != nil || !column.mayHoldTimesInSeconds else {
        throw fault(
          "the table has no header, and the numbers in column \(column.name) may be times or amounts. Say it: "
            + "\(Self.choice(.time, [column])) or \(Self.choice(.value, [column]))")
      }
      if choice == nil, let fault = Self.oddField(of: column) { throw fault }
      let meaning = choice ?? (column.holdsTimes ? .time : column.holdsNumbers ? .value : .name)
      if let other = places[meaning] {
        throw fault(
          "the table has no header, and its columns \(other + 1) and \(column.name) may both be the \(meaning.rawValue). "
            + "Say what they are, like \(Self.choice(meaning, [column])) \(Self.choice(.passedOver, [columns[other]])). "
            + "The meanings are \(Meaning.explanation)")
      }
      places[meaning] = column.place
    }
    let isStated = choices.contains { [.time, .value].contains($0.meaning) }
    if places[.time] != nil, let place = places[.value], !isStated {
      throw fault(
        "the table has no header, and the numbers in column \(place + 1) may be what each row adds, or how the counter "
          + "stood then. If each row adds: \(Self.choice(.amount, [columns[place]])); otherwise import the last row of "
          + "each counter, without its time")
    }
    let parts = places.sorted { $0.value < $1.value }.map { "column \($0.value + 1) is the \($0.key.rawValue)" }
    format = "a table without a header: " + parts.joined(separator: ", ")
    try checkUse { fault("the table has no header, and \($0)") }
  }

  /// The maximum number of columns of a table.
  private static let most = 256

  private static func width(_ rows: [CSV.Record]) throws(ImportFile.Fault) -> Int {
    if let row = rows.first(where: { $0.fields.count > most }) {
      throw .init(line: row.line, reason: "it has more than \(most) columns")
    }
    return rows.lazy.map(\.fields.count).max() ?? 0
  }

  /// Checks that no row has values beyond the header, unless a person has stated their meanings.
  private static func checkLengths(
    of rows: [CSV.Record], below width: Int, _ choices: [ColumnChoice]
  ) throws(ImportFile.Fault) {
    for row in rows where row.fields.count > width {
      let further = (width..<row.fields.count).filter { row.field($0) != nil }.map { "\($0 + 1)" }
      guard let last = further.last, further.contains(where: { name in !choices.contains { $0.column == name } }) else {
        continue
      }
      throw .init(
        line: row.line,
        reason: "it has \(last) values, and the header \(width) column\(width == 1 ? "" : "s"). A value that contains "
          + "the separator must be in quotes. To leave out what is too much: "
          + further.map { choice(.passedOver, $0) }.joined(separator: " "))
    }
  }

  /// Checks that no other column competes with a name or a value, or lacks one.
  ///
  /// - Parameter columns: those that are not empty.
  private func checkPartners(
    _ columns: [Column], _ rows: [CSV.Record], _ choices: [ColumnChoice], _ fault: (String) -> ImportFile.Fault
  ) throws(ImportFile.Fault) {
    func column(_ meaning: Meaning) -> Column? { columns.first { $0.place == places[meaning] } }
    func choice(_ meaning: Meaning, _ column: Column) -> String { Self.choice(meaning, column.name) }
    switch (column(.value), column(.amount)) {
    case (let value?, let amount?):
      throw fault(
        "the columns \(Self.quoted([value, amount])) may both hold what was counted. Leave one of them out: "
          + "\(choice(.passedOver, amount)) or \(choice(.passedOver, value))")
    case (nil, let amount?) where time == nil:
      throw fault(
        "the column \(Self.quoted([amount])) holds amounts, and no column their times. If it holds the values of the "
          + "counters: \(choice(.value, amount))")
    case (nil, nil):
      guard time != nil, let name = column(.name), name.mayHoldAmounts,
        !choices.contains(where: { $0.column == name.name })
      else { break }
      throw fault(
        "the column \(Self.quoted([name])) may hold names of counters, or the amounts of one counter. Say it: "
          + "\(choice(.name, name)) or \(choice(.counts, name))")
    default: break
    }
    guard places[.name] == nil else { return }
    for other in [Meaning.group, .unit, .formula, .display].compactMap(column) {
      // Without names there is one counter, which may be a stopwatch.
      if other.place == places[.unit], rows.allSatisfy({ $0.field(other.place) ?? "s" == "s" }) { continue }
      throw fault(
        "no column holds the names of counters. If \(Self.quoted([other])) does: \(choice(.name, other)); otherwise leave "
          + "it out: \(choice(.passedOver, other))")
    }
  }

  private func checkUse(_ fault: (String) -> ImportFile.Fault) throws(ImportFile.Fault) {
    let isOfUse = time != nil || [.value, .formula].contains { places[$0] != nil }
    if places[.clock] != nil, time == nil { throw fault("a column holds times of day, and none the days") }
    guard isOfUse else { throw fault("no column holds values, or the times of counts") }
    guard !counters.isEmpty else { return }
    guard time != nil else { throw fault("no column holds the times of the counts") }
    for meaning in [Meaning.name, .value, .amount] {
      guard let name = places[meaning].map(name) else { continue }
      throw fault(
        "“\(name.shortened)” cannot be the \(meaning.rawValue) beside columns that are counters. Leave it out: "
          + "\(Self.choice(.passedOver, name)); or it is one as well: \(Self.choice(.counts, name))")
    }
  }

  // MARK: Texts

  static func quoted(_ columns: [Column]) -> String {
    columns.map { "“\($0.name.shortened)”" }.joined(separator: ", ")
  }

  /// Options that give columns a meaning, for a shell.
  static func choice(_ meaning: Meaning, _ columns: some Sequence<Column>) -> String {
    columns.map { choice(meaning, $0.name) }.joined(separator: " ")
  }

  /// The option that gives the column with this name a meaning, for a shell.
  static func choice(_ meaning: Meaning, _ name: String) -> String {
    let text = "\(meaning.rawValue)=\(name.shortened)"
    let isPlain = text.allSatisfy { $0.isLetter || $0.isNumber || "-_=.".contains($0) }
    return "--column " + (isPlain ? text : "'\(text.replacing("'", with: "'\\''"))'")
  }

  struct Column {
    let place: Int
    let header: String
    /// The header; for a column without a header its number, from 1.
    var name: String { header.isEmpty ? "\(place + 1)" : header }
    let isEmpty: Bool
    private(set) var holdsNumbers = true
    private(set) var holdsTimes = true
    private(set) var mayHoldTimesInSeconds = true
    private(set) var holdsMarks = false
    /// The first field that is neither a number nor a mark.
    private(set) var odd: (line: Int, text: String)?
    /// The first field that is no time.
    private(set) var oddTime: (line: Int, text: String)?
    /// The number of fields that are numbers, minus the number of other fields.
    private(set) var balance = 0
    /// The number of fields that are times, minus the number of other fields.
    private(set) var timeBalance = 0
    var holdsNumbersOrMarks: Bool { odd == nil }
    var holdsMostlyNumbers: Bool { balance >= 0 }
    /// Whether all fields are numbers, or resemble them.
    var mayHoldAmounts: Bool { holdsNumbersOrMarks || resemblesNumbers }
    /// Whether all fields begin with a digit, such as `3 km` and `1:30`, or are yes or no.
    private(set) var resemblesNumbers = true
    private(set) var holdsMinusOne = false
    /// Whether all fields are numbers of marks.
    private(set) var holdsNumbersOfMarks = true

    private static let answers: Set<String> = ["yes", "no", "true", "false"]

    init(_ place: Int, header: String, _ rows: [CSV.Record]) {
      (self.place, self.header) = (place, header)
      isEmpty = !rows.contains { $0.field(place) != nil }
    }

    /// Examines the fields.
    mutating func look(through rows: [CSV.Record]) {
      for row in rows {
        guard let text = row.field(place) else { continue }
        let (isNumber, isMark) = (DecimalMark.isNumber(text), HabitMark(rawValue: text) != nil)
        holdsNumbers = holdsNumbers && isNumber
        let isTime = ExchangeTime.isTime(text)
        holdsTimes = holdsTimes && isTime
        if oddTime == nil, !isTime { oddTime = (row.line, text) }
        timeBalance += isTime ? 1 : -1
        mayHoldTimesInSeconds = mayHoldTimesInSeconds && ExchangeTime.isInSeconds(text)
        holdsMarks = holdsMarks || isMark
        if odd == nil, !isNumber, !isMark { odd = (row.line, text) }
        balance += isNumber ? 1 : -1
        let resemblesNumber = text.first?.isNumber == true || Self.answers.contains(text.lowercased())
        resemblesNumbers = resemblesNumbers && resemblesNumber
        holdsMinusOne = holdsMinusOne || text == "-1"
        holdsNumbersOfMarks = holdsNumbersOfMarks && HabitMark.numbers.contains(text)
      }
      if isEmpty { mayHoldTimesInSeconds = false }
    }
  }
}

extension [Meaning?] {
  /// Takes the titles for the names if there are no names.
  fileprivate mutating func useTitlesAsNames() {
    if !contains(.name), let title = firstIndex(of: .title) { self[title] = .name }
  }

  /// Combines a column of days and one of times into one time.
  fileprivate mutating func pairDateWithClock(_ names: [String]) {
    let times = indices.filter { self[$0] == .time }
    guard times.count == 2, let date = times.first(where: { ["date", "day"].contains(names[$0].headerWord) }),
      let clock = times.first(where: { names[$0].headerWord == "time" })
    else { return }
    if date != clock { self[clock] = .clock }
  }
}
