import Counting
import Csqlite

/// A statement, which is compiled at its first use, and reset after each one. A process uses only some of its
/// statements, so it starts sooner and needs less memory.
@safe
final class Statement {
  private let sql: String
  private let database: Database
  /// `nil` before the first use.
  private var handle: OpaquePointer?

  fileprivate static let copied = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  init(_ sql: String, of database: Database) {
    self.sql = sql
    self.database = database
  }

  deinit { unsafe sqlite3_finalize(handle) }

  /// Compiles the statement, unless it is compiled already.
  func compile() throws(StoreError) {
    if unsafe handle == nil { unsafe handle = try database.compile(sql) }
  }

  /// Runs the statement to its end with `values` as its parameters, in order.
  func run(_ values: Value...) throws(StoreError) { try run(values) }

  func run(_ values: some Sequence<Value>) throws(StoreError) {
    try bind(values)
    try runBound()
  }

  /// Runs the statement to its end with the parameters that it has.
  func runBound() throws(StoreError) {
    defer { reset() }
    while try next() {}
  }

  /// Returns the rows of the statement with `values` as its parameters, each converted by `row`.
  func rows<Row>(_ values: Value..., row: (Statement) throws(StoreError) -> Row) throws(StoreError) -> [Row] {
    try rows(values, row: row)
  }

  func rows<Row>(_ values: [Value], row: (Statement) throws(StoreError) -> Row) throws(StoreError) -> [Row] {
    try bind(values)
    defer { reset() }
    var rows: [Row] = []
    while try next() { rows.append(try row(self)) }
    return rows
  }

  /// Returns the first column of the first row; `nil` without a row.
  func number(_ values: Value...) throws(StoreError) -> Int64? {
    try first(values) { row throws(StoreError) -> Int64? in row.integer(0) }
  }

  /// Returns the first value of `row` that is not `nil`; later rows are not read.
  func first<Found>(_ values: [Value], row: (Statement) throws(StoreError) -> Found?) throws(StoreError) -> Found? {
    try bind(values)
    defer { reset() }
    while try next() {
      if let found = try row(self) { return found }
    }
    return nil
  }

  /// Calls `row` for each row of the statement with `values` as its parameters, and returns the number of rows. Surplus
  /// values at the end are ignored.
  func each(_ values: [Value], row: (Statement) throws(StoreError) -> Void) throws(StoreError) -> Int64 {
    try compile()
    let count = Int(unsafe sqlite3_bind_parameter_count(handle))
    try bind(Array(values.prefix(count)))
    defer { reset() }
    var rows: Int64 = 0
    while try next() {
      rows += 1
      try row(self)
    }
    return rows
  }

  /// The number of virtual machine steps since the last call.
  func takeWork() -> Int32 {
    guard let handle = unsafe handle else { return 0 }
    return unsafe sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_VM_STEP, 1)
  }

  /// Steps to the next row; returns `false` after the last one.
  func next() throws(StoreError) -> Bool {
    try compile()
    let result = unsafe sqlite3_step(handle)
    try database.check(result)
    return result == SQLITE_ROW
  }

  var columns: Int32 { unsafe sqlite3_column_count(handle) }

  func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

  func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

  func text(_ column: Int32) -> String {
    guard let text = unsafe sqlite3_column_text(handle, column) else { return "" }
    let count = Int(unsafe sqlite3_column_bytes(handle, column))
    return unsafe String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
  }

  func value(_ column: Int32) -> Value {
    switch unsafe sqlite3_column_type(handle, column) {
    case SQLITE_NULL: .null
    case SQLITE_INTEGER: .integer(integer(column))
    default: .text(text(column))
    }
  }

  func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

  private func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(handle, column) == SQLITE_NULL }

  func reset() { unsafe sqlite3_reset(handle) }

  private func bind(_ values: some Sequence<Value>) throws(StoreError) {
    try compile()
    for (index, value) in values.enumerated() {
      switch value {
      case .null: try database.check(unsafe sqlite3_bind_null(handle, Int32(truncatingIfNeeded: index &+ 1)))
      case .integer(let number): try bind(number, to: index &+ 1)
      case .text(let text): try bind(text, to: index &+ 1)
      }
    }
  }

  /// Sets the parameter `position`, from 1, which keeps its value until it is set again.
  func bind(_ number: Int64, to position: Int) throws(StoreError) {
    try compile()
    try database.check(unsafe sqlite3_bind_int64(handle, Int32(truncatingIfNeeded: position), number))
  }

  func bind(_ text: String, to position: Int) throws(StoreError) {
    try compile()
    var text = text
    let result = text.withUTF8 { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) {
        unsafe sqlite3_bind_text(
          handle, Int32(truncatingIfNeeded: position), $0.baseAddress, Int32(clamping: $0.count), Self.copied)
      }
    }
    try database.check(result)
  }

  enum Value: ExpressibleByIntegerLiteral, ExpressibleByNilLiteral {
    case null
    case integer(Int64)
    case text(String)

    init(integerLiteral value: Int64) { self = .integer(value) }
    init(nilLiteral: ()) { self = .null }
    init(_ number: Int64?) { self = number.map(Value.integer) ?? .null }
    init(_ text: String?) { self = text.map(Value.text) ?? .null }

    /// The IDs as an array of JSON, for `json_each`.
    init(_ ids: some Sequence<Counter.ID>) { self = .text("[\(ids.map { String($0.number) }.joined(separator: ","))]") }
  }
}
