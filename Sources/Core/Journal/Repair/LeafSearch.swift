/// Searches the leaf pages of a damaged file for the rows of a table, without reading any other page. Rows that fit
/// several tables and rows that continue on other pages are left out.
struct LeafSearch {
  private let pages: LeafPages
  private let tables: [String: [Column]]

  private struct Column {
    let type: String
    let isRequired: Bool
    /// Whether the column is the row number, for which a record has null.
    let isNumber: Bool

    func fits(_ value: Statement.Value) -> Bool {
      switch value {
      case .null: isNumber || !isRequired
      case .integer: !isNumber && type != "TEXT"
      case .text: !isNumber && type != "INTEGER"
      }
    }
  }

  /// The tables whose rows never change, so that an unused page contains no outdated rows of them.
  private static let unchanging: Set<String> = ["event", "cause"]

  /// - Parameters:
  ///   - source: the copy of a damaged file. Its write-ahead log is copied into it.
  ///   - hasHeader: whether the first page is that of the journal.
  ///   - target: a journal with the tables to search for.
  init(_ source: Database, hasHeader: Bool, like target: Database) throws(StoreError) {
    // If this fails, the pages in the log are missing.
    _ = source.checkpointWhole()
    pages = try LeafPages(source.path, hasHeader: hasHeader)
    var tables: [String: [Column]] = [:]
    _ = try target.prepare(
      """
      SELECT list.name, info.type, info."notnull", info.pk
      FROM pragma_table_list AS list JOIN pragma_table_info(list.name) AS info
      WHERE list.schema = 'main' AND list.type = 'table' AND NOT list.wr ORDER BY list.name, info.cid
      """
    ).each([]) { row throws(StoreError) in
      let column = Column(
        type: row.text(1), isRequired: row.integer(2) != 0, isNumber: row.integer(3) == 1 && row.text(1) == "INTEGER")
      tables[row.text(0), default: []].append(column)
    }
    self.tables = tables
  }

  /// Calls `body` with each row of `table` that is found.
  ///
  /// - Parameter last: the last event that was confirmed, if it is known.
  /// - Returns: whether only one page of the file is damaged, and no row of the table was left out. If the search then
  ///   adds a row, the damaged page only referred to rows and contained none.
  func each(
    of table: String, through last: Int64?, _ body: ([Statement.Value]) throws(StoreError) -> Void
  ) throws(StoreError) -> Bool {
    guard let columns = tables[table], pages.free != nil || Self.unchanging.contains(table) else { return false }
    let others = tables.filter { $0.key != table }.values
    var isWhole = pages.free != nil
    let damaged = try pages.each { page throws(StoreError) in
      if page.isPartial { isWhole = false }
      for row in page.rows where Self.fits(row, columns) {
        guard !others.contains(where: { Self.fits(row, $0) }) else {
          isWhole = false
          continue
        }
        if pages.free == nil, table == "event", let last, row.number > last { continue }
        try body(zip(row.values, columns).map { $1.isNumber ? .integer(row.number) : $0 })
      }
    }
    return isWhole && damaged == 1
  }

  private static func fits(_ row: LeafPage.Row, _ columns: [Column]) -> Bool {
    row.values.count == columns.count && zip(row.values, columns).allSatisfy { $1.fits($0) }
  }
}
