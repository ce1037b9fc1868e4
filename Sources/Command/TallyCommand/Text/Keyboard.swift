import Linux

/// Keys and lines from standard input. A terminal gives each key at once; of a pipe each byte is a key.
final class Keyboard {
  private var decoder = TerminalKeyDecoder()
  private var terminal: TerminalInput?
  private(set) var hasEnded = false

  /// Takes single keys from the terminal.
  ///
  /// - Returns: whether standard input is a terminal that this program may read.
  @discardableResult
  func takeKeys() -> Bool {
    if terminal == nil { terminal = try? TerminalInput() }
    return terminal != nil
  }

  /// Gives the terminal back to lines, and to other programs.
  func release() { terminal = nil }

  /// The keys that were pressed, after at most `milliseconds`.
  func keys(waiting milliseconds: Int32 = 0) -> [TerminalKey] {
    guard !hasEnded else { return [] }
    guard let bytes = TerminalInput.read(waiting: milliseconds) else {
      hasEnded = true
      return []
    }
    return decoder.decode(bytes)
  }

  /// A line without its end, at most 1000 bytes of it; `nil` at the end of the input. Reads nothing beyond the line.
  func line() -> String? {
    var bytes: [UInt8] = []
    while true {
      guard let next = TerminalInput.read(waiting: -1, atMost: 1) else {
        hasEnded = true
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
      }
      guard next != [UInt8(ascii: "\n")] else { return String(decoding: bytes, as: UTF8.self) }
      if bytes.count < 1000 { bytes += next }
    }
  }
}
