import Csystemd
import Glibc

/// systemd's journal, for services whose standard error leads there.
enum Journal {
  /// Writes a line with fields beside it, by which `journalctl` finds it again.
  ///
  /// - Returns: `false` where there is no journal to write to.
  static func write(_ level: ServiceProcess.LogLevel, _ line: String, _ fields: [ServiceProcess.LogField: String])
    -> Bool
  {
    guard isOnStandardError else { return false }
    var entries = ["MESSAGE=\(line)", "PRIORITY=\(level.rawValue)"]
    for (field, value) in fields { entries.append("\(field.rawValue)=\(value)") }
    return unsafe withVectors(entries.map { Array($0.utf8) }) { vectors in
      unsafe sd_journal_sendv(vectors.baseAddress, Int32(clamping: vectors.count)) >= 0
    }
  }

  /// Whether standard error is the stream to the journal that systemd gave this service: a program that was started by
  /// the service may have another one.
  private static var isOnStandardError: Bool {
    guard let stream = ServiceProcess.environment("JOURNAL_STREAM") else { return false }
    var status = stat()
    return unsafe fstat(STDERR_FILENO, &status) == 0 && stream == "\(status.st_dev):\(status.st_ino)"
  }

  /// Runs `body` with the entries as the kernel takes them, which lie still for that long.
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
