import Csystemd
import Glibc

/// systemd's journal, for services whose standard error is connected to it.
enum SystemJournal {
  /// Writes a line with additional fields, by which `journalctl` can filter.
  ///
  /// - Returns: `false` if standard error is not connected to the journal, or if writing fails.
  static func write(_ level: ServiceProcess.LogLevel, _ line: String, _ fields: [String: String])
    -> Bool
  {
    guard isOnStandardError else { return false }
    var entries = ["MESSAGE=\(line)", "PRIORITY=\(level.rawValue)"]
    for (field, value) in fields { entries.append("\(field)=\(value)") }
    return unsafe withVectors(entries.map { Array($0.utf8) }) { vectors in
      unsafe sd_journal_sendv(vectors.baseAddress, Int32(clamping: vectors.count)) >= 0
    }
  }

  /// Whether standard error is the stream that systemd opened for this service. `JOURNAL_STREAM` alone does not prove
  /// this: it may be inherited from a parent process.
  private static var isOnStandardError: Bool {
    guard let stream = ServiceProcess.environment("JOURNAL_STREAM") else { return false }
    var status = stat()
    return unsafe fstat(STDERR_FILENO, &status) == 0 && stream == "\(status.st_dev):\(status.st_ino)"
  }

  /// Calls `body` with the entries as vectors, which are valid during the call.
  @unsafe
  private static func withVectors<Result>(
    _ entries: [[UInt8]], _ body: (UnsafeBufferPointer<iovec>) -> Result
  ) -> Result {
    let buffers = unsafe entries.map { entry in
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, entry.count), alignment: 1)
      unsafe buffer.copyBytes(from: entry)
      return unsafe buffer
    }
    defer { for index in unsafe buffers.indices { unsafe buffers[index].deallocate() } }
    let vectors = unsafe zip(buffers, entries).map { unsafe iovec(iov_base: $0.baseAddress, iov_len: $1.count) }
    return unsafe vectors.withUnsafeBufferPointer(body)
  }
}
