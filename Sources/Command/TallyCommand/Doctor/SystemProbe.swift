import Glibc

/// Queries of the system through other programs and files.
enum SystemProbe {
  /// The output of a command, and whether it succeeded within 30 seconds. The command must be a constant of this
  /// program.
  static func ask(_ command: String) -> (output: String, isGood: Bool) {
    guard let stream = unsafe popen("timeout 30 \(command) 2>/dev/null </dev/null", "re") else { return ("", false) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4096)
    while bytes.count < 1 << 20 {
      let count = unsafe fread(&piece, 1, piece.count, stream)
      guard count > 0 else { break }
      bytes += piece[..<count]
    }
    let status = unsafe pclose(stream)
    return (String(decoding: bytes, as: UTF8.self), status == 0)
  }

  /// The `KEY=VALUE` lines in the output of a command.
  static func properties(_ command: String) -> [String: String] {
    let pairs = ask(command).output.split(separator: "\n").compactMap { line -> (String, String)? in
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
    }
    return Dictionary(pairs, uniquingKeysWith: { $1 })
  }

  static var hasSystemd: Bool { exists("/run/systemd/system") }

  static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  /// The size of a file in bytes.
  static func size(of path: String) -> Int64? {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? Int64(status.st_size) : nil
  }

  /// Whether a link exists, even a dangling one.
  static func isLink(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0
  }

  /// The group of a file, and whether the group may read it.
  static func group(of path: String) -> (name: String, mayRead: Bool)? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    var name = "\(status.st_gid)"
    if let entry = unsafe getgrgid(status.st_gid), let known = unsafe entry.pointee.gr_name {
      name = unsafe String(cString: known)
    }
    return (name, status.st_mode & 0o040 != 0)
  }
}
