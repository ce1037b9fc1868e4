/// The rows on a leaf page of a table, read without SQLite (“B-tree Pages” and “Record Format” in its description of
/// the file format). The bytes may be anything: each number is checked before it is used.
struct LeafPage {
  /// A row of any table: its row number and the values of its columns.
  struct Row {
    let number: Int64
    let values: [Statement.Value]
  }

  /// The rows that are completely on the page and consist of integers and text, like all rows of a journal.
  private(set) var rows: [Row] = []
  /// Whether the page has more rows than ``rows``.
  private(set) var isPartial = false

  /// The first byte of a leaf page of a table with row numbers.
  private static let kind: UInt8 = 0x0d
  private static let header = 8
  /// A page's usable size minus the size of the longest row that fits on it.
  private static let spare = 35

  /// - Returns: `nil` if the page is of another kind.
  init?(_ page: [UInt8]) {
    guard page.count > Self.header, page[0] == Self.kind else { return nil }
    let content = page.dropLast(LeafPages.checksum)
    var pointers = Bytes(content.dropFirst(Self.header))
    for _ in 0..<LeafPages.number(in: page, at: 3, bytes: 2) {
      guard let pointer = pointers.take(2), let row = Self.row(at: pointer, in: content) else {
        isPartial = true
        continue
      }
      rows.append(row)
    }
  }

  private static func row(at pointer: ArraySlice<UInt8>, in content: ArraySlice<UInt8>) -> Row? {
    var cell = Bytes(content.dropFirst(pointer.reduce(0) { $0 << 8 | Int($1) }))
    guard let length = cell.varint(), let number = cell.varint(), length <= content.count - spare,
      let record = cell.take(length)
    else { return nil }
    var header = Bytes(record)
    guard let end = header.varint(), end >= 1, end <= record.count else { return nil }
    var values = Bytes(record.dropFirst(Int(end)))
    header = Bytes(record.prefix(Int(end)))
    _ = header.varint()
    var row: [Statement.Value] = []
    while !header.isEmpty {
      guard let type = header.varint(), let value = values.value(type) else { return nil }
      row.append(value)
    }
    return values.isEmpty ? Row(number: number, values: row) : nil
  }
}

/// Bytes that are consumed from the front.
private struct Bytes {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  var isEmpty: Bool { rest.isEmpty }

  /// - Returns: `nil` if there are fewer bytes.
  mutating func take(_ count: Int64) -> ArraySlice<UInt8>? {
    guard count >= 0, count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(Int(count)) }
    return rest.prefix(Int(count))
  }

  /// A number of one to nine bytes; the first eight bytes have seven bits each.
  mutating func varint() -> Int64? {
    var number: UInt64 = 0
    for index in 1...9 {
      guard let byte = rest.popFirst() else { return nil }
      if index == 9 { return Int64(bitPattern: number << 8 | UInt64(byte)) }
      number = number << 7 | UInt64(byte & 0x7f)
      if byte < 0x80 { break }
    }
    return Int64(bitPattern: number)
  }

  /// A value of a serial type; `nil` for a real number or a blob, which no journal has.
  mutating func value(_ type: Int64) -> Statement.Value? {
    switch type {
    case 0: return .null
    case 1...4: return integer(type)
    case 5: return integer(6)
    case 6: return integer(8)
    case 8, 9: return .integer(type - 8)
    case 13... where type % 2 == 1:
      guard let bytes = take((type - 13) / 2), let text = String(validating: bytes, as: UTF8.self) else { return nil }
      return .text(text)
    default: return nil
    }
  }

  /// A signed integer, the highest byte first.
  private mutating func integer(_ count: Int64) -> Statement.Value? {
    guard let bytes = take(count), let first = bytes.first else { return nil }
    return .integer(bytes.dropFirst().reduce(Int64(Int8(bitPattern: first))) { $0 << 8 | Int64($1) })
  }
}
