import CJournalFile
import Glibc
import Linux

/// The leaf pages of the tables in a damaged file, found without the pages that refer to them. The write-ahead log is
/// not read. Offsets are those of “The Database Header” and “The Freelist” in SQLite's description of its file format.
struct LeafPages {
  /// The bytes at the end of a page that hold its checksum.
  static let checksum = 12

  private let file: FileDescriptor
  private let path: String
  private let count: Int
  /// The pages that are not in use, which may contain old rows; `nil` if not all of them are known.
  private(set) var free: Set<Int>?

  /// - Parameter hasHeader: whether the first page is that of the journal.
  init(_ path: String, hasHeader: Bool) throws(StoreError) {
    let number = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { throw Self.unreadable(path) }
    file = FileDescriptor(owning: number)
    self.path = path
    count = max(0, lseek(number, 0, SEEK_END)) / Database.pageSize
    free = hasHeader ? try readFree() : nil
  }

  /// Calls `body` with each leaf page of a table that is in use and has the right checksum.
  ///
  /// - Returns: the number of damaged pages of any kind.
  func each(_ body: (LeafPage) throws(StoreError) -> Void) throws(StoreError) -> Int {
    var damaged = 0
    // The first page belongs to the list of tables.
    for number in 1...max(1, count) where free?.contains(number) != true {
      guard let bytes = try page(number) else {
        damaged += 1
        continue
      }
      if number > 1, let leaf = LeafPage(bytes) { try body(leaf) }
    }
    return damaged
  }

  static func number(in page: [UInt8], at offset: Int, bytes count: Int) -> Int {
    page[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
  }

  /// The page `number`, from 1; `nil` if it is damaged. A page of zeros is considered damaged, because SQLite never
  /// writes zeros to a page in use.
  private func page(_ number: Int) throws(StoreError) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: Database.pageSize)
    guard 1...max(1, count) ~= number else { return nil }
    guard unsafe pread(file.number, &bytes, Database.pageSize, (number - 1) * Database.pageSize) == Database.pageSize
    else {
      throw Self.unreadable(path)
    }
    let isSound = unsafe journal_page_is_sound(bytes, Int32(Database.pageSize), Int64(number)) != 0
    return isSound && bytes.contains { $0 != 0 } ? bytes : nil
  }

  /// The pages in the freelist; `nil` if a part of the list is damaged.
  private func readFree() throws(StoreError) -> Set<Int>? {
    guard let header = try page(1) else { return nil }
    var free: Set<Int> = []
    var next = Self.number(in: header, at: 32, bytes: 4)
    while next != 0 {
      guard free.insert(next).inserted, let trunk = try page(next) else { return nil }
      let listed = Self.number(in: trunk, at: 4, bytes: 4)
      guard listed <= Database.pageSize / 4 - 2 else { return nil }
      for index in 0..<listed { free.insert(Self.number(in: trunk, at: 8 + 4 * index, bytes: 4)) }
      next = Self.number(in: trunk, at: 0, bytes: 4)
    }
    return free.count == Self.number(in: header, at: 36, bytes: 4) ? free : nil
  }

  private static func unreadable(_ path: String) -> StoreError { StoreError(.unusable, "\(path) cannot be read.") }
}
