import CoreAPI
import Linux

/// Keys and lines from standard input. A terminal delivers each key at once; in a pipe each byte is a key.
final class Keyboard {
  private var decoder = TerminalKeyDecoder()
  private var terminal: TerminalInput?
  private(set) var hasEnded = false

  /// Switches the terminal to single keys.
  ///
  /// - Returns: whether standard input is a terminal that this program may read.
  @discardableResult
  func takeKeys() -> Bool {
    if terminal == nil { terminal = try? TerminalInput() }
    return terminal != nil
  }

  /// Switches the terminal back to lines, for other programs.
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

  /// Reads a line, at most 1000 bytes of it, without its end and no further; `nil` at the end of the input.
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

extension TerminalKey {
  /// The cause of a change that the key made, the same as in `tally-inputd --terminal`.
  var cause: Counters.Cause {
    Counters.Cause(
      producer: "tally", device: "terminal", gesture: (["press"] + [name].compactMap(\.self)).joined(separator: " "))
  }
}
