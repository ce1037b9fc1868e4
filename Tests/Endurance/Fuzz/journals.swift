import CJournalFile
import Counting
import Csqlite
import Fleet
import Glibc
// A journal in which something was changed, as verify, restore, repair and a start find it. The first byte chooses the
// journal, and whether its checksums are made right afterwards; what follows are changes:
//
//   0 offset (3 bytes) mask                       a byte of the file
//   1 offset (3 bytes) mask                       a byte of the write-ahead log
//   2 table column row type value                 a value, through SQL
//   3 row offset (2 bytes) character              a letter of the schema
import Journal

@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = Input(Array(UnsafeBufferPointer(start: bytes, count: count)))
  let choice = input.byte()
  Journals.shared.lay(killed: choice & 1 != 0)
  for _ in 0..<16 where !input.isEmpty { change(&input) }
  if choice & 2 != 0 { Journal.withConnection { _ = journal_stamp_all($0) } }
  use()
  return 0
}

private struct Input {
  private var bytes: ArraySlice<UInt8>
  init(_ bytes: [UInt8]) { self.bytes = bytes[...] }
  var isEmpty: Bool { bytes.isEmpty }
  mutating func byte() -> Int { Int(bytes.popFirst() ?? 0) }
  mutating func number(_ count: Int) -> Int { (0..<count).reduce(0) { sum, _ in sum << 8 | byte() } }
  mutating func text(_ count: Int) -> [UInt8] { (0..<count).compactMap { _ in bytes.popFirst() } }
}

// MARK: Files

private enum Journal {
  /// The folder that `run` makes and removes; one of its own where a file is tried again by hand.
  static let base = getenv("TALLYMARK_FUZZ").map { String(cString: $0) } ?? "/dev/shm/tallymark-fuzz-\(getpid())"
  static let state = "\(base)/state"
  static let file = "\(state)/\(JournalFile.name)"
  static let names = ["", "-wal"].map { JournalFile.name + $0 } + ["lock"]

  static func read(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
    return bytes
  }

  static func write(_ bytes: [UInt8], to path: String) {
    guard let file = fopen(path, "w") else { return demand(false, "\(path) can be written") }
    defer { fclose(file) }
    demand(fwrite(bytes, 1, bytes.count, file) == bytes.count, "\(path) is written")
  }

  /// Removes a folder without folders.
  static func remove(_ folder: String) {
    guard let entries = opendir(folder) else { return }
    while let entry = readdir(entries) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      unlink("\(folder)/\(name)")
    }
    closedir(entries)
    rmdir(folder)
  }

  /// A connection that keeps checksums right and leaves the log as it is.
  static func withConnection(_ body: (OpaquePointer) -> Void) {
    var opened: OpaquePointer?
    defer { sqlite3_close(opened) }
    guard sqlite3_open_v2(file, &opened, SQLITE_OPEN_READWRITE, "checked") == SQLITE_OK, let opened else { return }
    _ = journal_keep_log_when_closed(opened)
    let options = "PRAGMA writable_schema = ON; PRAGMA ignore_check_constraints = ON"
    guard sqlite3_exec(opened, options, nil, nil, nil) == SQLITE_OK else { return }
    body(opened)
  }
}

/// A journal of a core that ended, and one of a core that was killed.
private final class Journals {
  nonisolated(unsafe) static let shared = Journals()
  private var files: [Bool: [String: [UInt8]]] = [:]

  private init() {
    for folder in [Journal.base, Journal.state] { mkdir(folder, 0o700) }
    do {
      let store = try CounterStore(folder: Journal.state)
      try Self.live(store)
      files[true] = Self.files
      withExtendedLifetime(store) {}
    } catch { fatalError("\(error)") }
    files[false] = Self.files
  }

  private static var files: [String: [UInt8]] {
    let found = Journal.names.compactMap { name in Journal.read("\(Journal.state)/\(name)").map { (name, $0) } }
    return Dictionary(uniqueKeysWithValues: found)
  }

  private static func live(_ store: CounterStore) throws {
    var ledger = try store.load()
    var time: Int64 = 1_700_000_000_000_000
    func perform(_ change: Change) throws {
      time += 60_000_000
      let cause = Cause(producer: "fuzz", device: "pedal", gesture: "press")
      let events = try ledger.perform(change, at: time, cause: cause)
      try store.append(events, to: ledger)
      if let event = events.first, event.sequence % 40 == 0 {
        try store.append(try ledger.perform(.note(event, "a note"), at: time, cause: event.cause), to: ledger)
      }
    }
    try perform(.createGroup(name: "zoo", [.title: .text("The zoo")]))
    try perform(.create(name: "dogs", decimals: 2, [.group: .text("zoo"), .maximum: .integer(100_000)]))
    let period = Field.Value.text("daily 04:00 UTC")
    try perform(.create(name: "cats", [.target: .integer(50), .every: .integer(10), .period: period]))
    try perform(.create(name: "walk", isStopwatch: true))
    try perform(.clock(.named("walk"), .start))
    try perform(.createFormula(name: "legs", [.formula: .text("(dogs + cats) * 4")]))
    for index in 0..<600 { try perform(.add(.named(index % 3 == 0 ? "dogs" : "cats"), amount: nil)) }
    try perform(.remove(.named("dogs")))
    try share(ledger.all[0].id, in: ledger, store)
    try store.commit(ledger.head)
    store.checkpoint()
    for _ in 0..<8 {
      try perform(.add(.named("cats"), amount: nil))
      try store.commit(ledger.head)
    }
  }

  /// Shares a counter with a fleet, with the history of its counts.
  private static func share(_ counter: Counter.ID, in ledger: Ledger, _ store: CounterStore) throws {
    let (station, id) = (String(repeating: "0a", count: 16), CounterID(String(repeating: "0b", count: 16)))
    let broker = BrokerURL(stored: "mqtt://broker.test")
    try store.save(Membership(fleet: "venue", station: "door", id: station, broker: broker))
    if let id { try store.share(counter, as: id, dropping: ledger.lastSequence) }
    try store.beginHistory(of: counter, bringing: nil, as: nil, in: ledger)
  }

  func lay(killed: Bool) {
    Journal.remove(Journal.state)
    mkdir(Journal.state, 0o700)
    for (name, bytes) in files[killed] ?? [:] { Journal.write(bytes, to: "\(Journal.state)/\(name)") }
  }
}

// MARK: Changes

private func change(_ input: inout Input) {
  switch input.byte() % 4 {
  case 0: flip(Journal.file, input.number(3), input.byte())
  case 1: flip(Journal.file + "-wal", input.number(3), input.byte())
  case 2:
    let (number, column, row) = (input.byte(), input.byte(), input.byte())
    let value: String
    switch input.byte() % 5 {
    case 0: value = String(Int64(truncatingIfNeeded: input.number(8)))
    case 1: value = String(Int8(truncatingIfNeeded: input.byte()))
    case 2: value = "NULL"
    case 3: value = "CAST(x'\(hex(input.text(input.byte() % 64)))' AS TEXT)"
    default: value = "x'\(hex(input.text(8)))'"
    }
    Journal.withConnection { connection in
      let tables = texts("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid", connection)
      guard !tables.isEmpty else { return }
      let table = tables[number % tables.count]
      let columns = texts("SELECT name FROM pragma_table_info('\(table)')", connection)
      guard !columns.isEmpty else { return }
      let name = columns[column % columns.count]
      let isUnnumbered = texts("SELECT wr FROM pragma_table_list WHERE name = '\(table)'", connection) == ["1"]
      let key = isUnnumbered ? columns[0] : "rowid"
      let row = "(SELECT \(key) FROM \(table) LIMIT 1 OFFSET \(row) % max(1, (SELECT count(*) FROM \(table))))"
      sqlite3_exec(connection, "UPDATE OR IGNORE \(table) SET \(name) = \(value) WHERE \(key) = \(row)", nil, nil, nil)
    }
  default:
    let (row, offset) = (input.byte(), input.number(2))
    let character = hex([UInt8(input.byte())])
    Journal.withConnection { connection in
      let change = """
        UPDATE sqlite_schema SET sql = substr(sql, 1, \(offset) % length(sql)) || CAST(x'\(character)' AS TEXT)
        || substr(sql, \(offset) % length(sql) + 2) WHERE rowid =
        (SELECT rowid FROM sqlite_schema LIMIT 1 OFFSET \(row) % max(1, (SELECT count(*) FROM sqlite_schema)))
        """
      sqlite3_exec(connection, change, nil, nil, nil)
    }
  }
}

private func flip(_ path: String, _ offset: Int, _ mask: Int) {
  guard var bytes = Journal.read(path), !bytes.isEmpty else { return }
  bytes[offset % bytes.count] ^= UInt8(mask)
  Journal.write(bytes, to: path)
}

private func hex(_ bytes: [UInt8]) -> String {
  bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
}

/// The first column of a query; nothing where an earlier change keeps it from being read.
private func texts(_ sql: String, _ connection: OpaquePointer) -> [String] {
  var statement: OpaquePointer?
  defer { sqlite3_finalize(statement) }
  guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK else { return [] }
  var texts: [String] = []
  while sqlite3_step(statement) == SQLITE_ROW, let text = sqlite3_column_text(statement, 0) {
    texts.append(String(cString: text))
  }
  return texts
}

// MARK: Use

/// Nothing may end the program; and what verify calls whole can be restored and used.
private func use() {
  let (copy, new, other) = ("\(Journal.base)/copy", "\(Journal.base)/repaired", "\(Journal.base)/restored")
  for folder in [new, other] { Journal.remove(folder) }
  unlink(copy)
  _ = try? JournalRepair(Journal.state, into: new)
  let isWhole = (try? JournalFile.verify(Journal.state))?.isEmpty ?? false
  do {
    try JournalFile.backUp(Journal.state, to: copy)
    _ = try JournalFile.restore(copy, to: other)
  } catch {
    demand(!isWhole, "a whole journal can be restored: \(error)")
  }
  do {
    try start()
  } catch {
    demand(!isWhole, "a whole journal can be used: \(error)")
  }
}

private func start() throws {
  let store = try CounterStore(folder: Journal.state)
  var ledger = try store.load()
  let counters = ledger.all.map(\.id)
  let bounds: [Int64] = [0, 1_700_000_000_000_000, 1_800_000_000_000_000]
  _ = try store.events(1...max(1, min(ledger.lastSequence, 100_000)), in: ledger)
  let (reader, now) = (try JournalReader(store.location), JournalReader.Now(time: bounds[2], boot: ledger.boot))
  _ = try reader.values(of: counters, at: bounds[1], now: now)
  _ = try reader.totals(of: nil, between: bounds, now: now)
  _ = ledger.overview(of: nil, at: bounds[2])
  let cause = Cause(producer: "fuzz")
  for counter in ledger.all {
    let target = Change.Target.named(counter.name.text)
    for change in [Change.add(target, amount: nil), .renew(counter.id), .remove(target)] {
      guard let events = try? ledger.perform(change, at: bounds[2], cause: cause) else { continue }
      try store.append(events, to: ledger)
    }
  }
  for target in try store.all(store.lastUndo(of: nil, in: ledger)) {
    guard let events = try? ledger.perform(.undo([target]), at: bounds[2], cause: cause) else { continue }
    try store.append(events, to: ledger)
  }
  try store.commit(ledger.head)
}
