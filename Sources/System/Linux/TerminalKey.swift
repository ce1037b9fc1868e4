/// A key of a terminal.
public enum TerminalKey: Equatable, Sendable {
  case up, down, left, right, pageUp, pageDown, home, end, enter
  case letter(Character)

  /// The kernel's name of the key, as in gestures of devices: `KEY_SPACE`; `nil` for other characters.
  public var name: String? {
    switch self {
    case .up: "KEY_UP"
    case .down: "KEY_DOWN"
    case .left: "KEY_LEFT"
    case .right: "KEY_RIGHT"
    case .pageUp: "KEY_PAGEUP"
    case .pageDown: "KEY_PAGEDOWN"
    case .home: "KEY_HOME"
    case .end: "KEY_END"
    case .enter: "KEY_ENTER"
    case .letter(" "): "KEY_SPACE"
    case .letter("-"): "KEY_MINUS"
    case .letter("+"): "KEY_KPPLUS"
    case .letter(let letter): letter.isLetter ? "KEY_\(letter.uppercased())" : nil
    }
  }
}

/// Decodes the bytes that a terminal sends into keys. Unknown keys are dropped.
public struct TerminalKeyDecoder: Sendable {
  /// The bytes after an Escape; `nil` outside of a sequence.
  private var sequence: [UInt8]?

  public init() {}

  public mutating func decode(_ bytes: some Sequence<UInt8>) -> [TerminalKey] { bytes.compactMap { key($0) } }

  private mutating func key(_ byte: UInt8) -> TerminalKey? {
    guard let begun = sequence else { return plain(byte) }
    if begun.isEmpty {
      let isSequence = byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O")
      sequence = isSequence ? [byte] : nil
      return isSequence ? nil : plain(byte)
    }
    // Digits and semicolons precede the letter or the tilde that ends the sequence.
    if 0x30...0x3f ~= byte, begun.count < 8 {
      sequence = begun + [byte]
      return nil
    }
    sequence = nil
    // The previous key was a lone Escape.
    if byte < 0x30 { return plain(byte) }
    return Self.named(String(decoding: begun.dropFirst() + [byte], as: UTF8.self))
  }

  private mutating func plain(_ byte: UInt8) -> TerminalKey? {
    switch byte {
    // Ctrl-D ends the input.
    case 0x04: return .letter("q")
    case 0x1b:
      sequence = []
      return nil
    case UInt8(ascii: "\r"), UInt8(ascii: "\n"): return .enter
    case 0x20...0x7e: return .letter(Character(Unicode.Scalar(byte)))
    default: return nil
    }
  }

  private static func named(_ code: String) -> TerminalKey? {
    switch code {
    case "A": .up
    case "B": .down
    case "C": .right
    case "D": .left
    case "H", "1~", "7~": .home
    case "F", "4~", "8~": .end
    case "5~": .pageUp
    case "6~": .pageDown
    default: nil
    }
  }
}
