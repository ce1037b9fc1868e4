import Clibevdev

/// Turns the bytes that a terminal sends into the kernel's key codes.
///
/// Known are the keys that count: space, Enter, `-`, the down arrow, `u` and `q`. Everything else is nothing. An
/// arrow comes as Escape `[` `B` (or Escape `O` `B`), all bytes in one piece or not.
public struct TerminalKeys: Equatable, Sendable {
  private enum State: Equatable { case plain, escape, sequence }
  private var state = State.plain

  /// The codes that ``decode(_:)`` can give.
  public static let codes = Set([KEY_SPACE, KEY_ENTER, KEY_MINUS, KEY_DOWN, KEY_U, KEY_Q].map(UInt16.init))

  public init() {}

  /// The keys hit, in order.
  public mutating func decode(_ bytes: [UInt8]) -> [UInt16] {
    bytes.compactMap { byte in
      switch state {
      case .plain:
        if byte == 0x1b { state = .escape }
        return Self.key(byte)
      case .escape:
        let isSequence = byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O")
        state = isSequence ? .sequence : byte == 0x1b ? .escape : .plain
        // Escape itself was hit before this key.
        return isSequence ? nil : Self.key(byte)
      case .sequence:
        // Digits and semicolons come before the letter that ends it; anything else was hit after a lone Escape.
        if (0x30...0x3f).contains(byte) { return nil }
        state = .plain
        if byte < 0x30 { return Self.key(byte) }
        return byte == UInt8(ascii: "B") ? UInt16(KEY_DOWN) : nil
      }
    }
  }

  private static func key(_ byte: UInt8) -> UInt16? {
    switch byte {
    case UInt8(ascii: " "): UInt16(KEY_SPACE)
    case UInt8(ascii: "\r"), UInt8(ascii: "\n"): UInt16(KEY_ENTER)
    case UInt8(ascii: "-"): UInt16(KEY_MINUS)
    case UInt8(ascii: "u"), UInt8(ascii: "U"): UInt16(KEY_U)
    case UInt8(ascii: "q"), UInt8(ascii: "Q"): UInt16(KEY_Q)
    default: nil
    }
  }
}
