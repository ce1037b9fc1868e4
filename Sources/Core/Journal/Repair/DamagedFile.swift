import Glibc
import Linux

/// A copy of a damaged journal, to be read from beginning to end; the original is never written.
enum DamagedFile {
  private static let block = 4096

  /// Copies the file `name` in `folder`, leaving zeros where the disk cannot read it. Root reads it with the rights of
  /// the folder's owner.
  ///
  /// - Returns: the number of blocks that could not be read.
  static func copy(_ name: String, in folder: String, to copy: String) throws(StoreError) -> Int {
    let path = "\(folder)/\(name)"
    let source = try FolderOwner.acting(of: folder) { () throws(StoreError) in
      // Opening a FIFO would wait for its writer.
      let number = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
      guard number >= 0 else { throw refusal(path) }
      return number
    }
    defer { close(source) }
    var status = stat()
    guard unsafe fstat(source, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw StoreError(.unusable, "\(path) is not a file.")
    }
    let target = unsafe Glibc.open(copy, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard target >= 0 else { throw refusal(copy) }
    defer { close(target) }
    let size = lseek(source, 0, SEEK_END)
    var unreadable = 0
    var bytes = [UInt8](repeating: 0, count: block)
    var offset = 0
    while offset < size {
      var count = unsafe pread(source, &bytes, block, offset)
      if count < 0 {
        unreadable += 1
        bytes = [UInt8](repeating: 0, count: block)
        count = min(block, size - offset)
      }
      if count == 0 { break }
      guard unsafe pwrite(target, bytes, count, offset) == count else { throw refusal(copy) }
      offset += count
    }
    return unreadable
  }

  static func remove(_ copy: String) { for end in ["", "-wal", "-shm"] { unsafe unlink(copy + end) } }

  /// Opens a copy. If even its list of tables cannot be read, replaces the list by the list of a new journal.
  ///
  /// - Throws: ``StoreError/Code/damaged`` if that does not help.
  static func open(_ copy: String) throws(StoreError) -> (database: Database, isAssumed: Bool) {
    do {
      return (try openReadable(copy), false)
    } catch {
      guard error.code == .damaged else { throw error }
    }
    try graftTables(onto: copy)
    return (try openReadable(copy), true)
  }

  private static func openReadable(_ copy: String) throws(StoreError) -> Database {
    let database = try Database(path: copy)
    // Otherwise SQLite refuses a file that is shorter than its header states.
    try database.execute("PRAGMA writable_schema = ON")
    _ = try database.integer("SELECT count(length(sql)) FROM sqlite_schema")
    return database
  }

  /// Copies the list of tables from a new journal: the tables' root pages are the same in all journals of one version.
  private static func graftTables(onto copy: String) throws(StoreError) {
    let model = "\(copy)-model"
    defer { remove(model) }
    do {
      let database = try Database(path: model)
      try database.setPageSize()
      try database.execute("PRAGMA journal_mode = WAL")
      try Schema.create(in: database)
      try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
    let source = unsafe Glibc.open(model, O_RDONLY | O_CLOEXEC)
    let target = unsafe Glibc.open(copy, O_WRONLY | O_CLOEXEC)
    defer {
      close(source)
      close(target)
    }
    let page = Database.pageSize
    var bytes = [UInt8](repeating: 0, count: page)
    guard unsafe pread(source, &bytes, page, 0) == page else { throw refusal(model) }
    for number in [1] + children(ofFirst: bytes) {
      let offset = (number - 1) * page
      guard unsafe pread(source, &bytes, page, offset) == page else { throw refusal(model) }
      // The number of pages is not copied from the model. SQLite uses the size of the file if "version-valid-for"
      // differs.
      if number == 1 { bytes.replaceSubrange(92..<96, with: [0, 0, 0, 0]) }
      guard unsafe pwrite(target, bytes, page, offset) == page else { throw refusal(copy) }
    }
  }

  /// The pages that the first page of an intact journal refers to if the list of tables needs more than that page
  /// (“B-tree Pages” in SQLite's description of its file format).
  private static func children(ofFirst bytes: [UInt8]) -> [Int] {
    let header = 100
    guard bytes[header] == 5 else { return [] }
    func number(at offset: Int, _ length: Int) -> Int {
      bytes[offset..<offset + length].reduce(0) { $0 << 8 | Int($1) }
    }
    let cells = (0..<number(at: header + 3, 2)).map { number(at: header + 12 + 2 * $0, 2) }
    return (cells + [header + 8]).map { number(at: $0, 4) }
  }

  private static func refusal(_ path: String) -> StoreError {
    StoreError(.unusable, "\(path) cannot be used: \(SystemError.reason(errno)).")
  }
}
