extension String {
  /// The text with U+FFFD in place of characters that could change the display of a terminal: control characters,
  /// except line feeds and tabs, separators of lines, and those that reverse the direction of text.
  public var printable: String {
    // The common case.
    if utf8.allSatisfy({ 0x20..<0x7f ~= $0 || $0 == 0x0a || $0 == 0x09 }) { return self }
    return String(String.UnicodeScalarView(unicodeScalars.map { $0.isPrintable ? $0 : "\u{fffd}" }))
  }

  /// Like ``printable``, but with the control sequences of ECMA-48 (`ESC [ … m`): styles of a text, moves of the
  /// cursor. None of them sends input to a program.
  public var printableWithStyles: String {
    guard utf8.contains(where: { $0 < 0x20 || $0 >= 0x7f }) else { return self }
    var result = String.UnicodeScalarView()
    var rest = unicodeScalars[...]
    while let scalar = rest.popFirst() {
      if scalar == "\u{1b}", let sequence = rest.prefixOfControlSequence {
        result.append(scalar)
        result += sequence
        rest = rest[sequence.endIndex...]
      } else {
        result.append(scalar.isPrintable ? scalar : "\u{fffd}")
      }
    }
    return String(result)
  }

  /// The printable text on one line, with spaces in place of line feeds and tabs. For names, titles and notes, which
  /// are untrusted.
  public var printableLine: String {
    let text = printable
    guard text.utf8.contains(where: { $0 == 0x0a || $0 == 0x09 }) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\n" || $0 == "\t" ? " " : $0 }))
  }

  /// The sign with which an icon begins that is a picture; the picture's name follows, for the board that keeps it.
  public static let pictureSign = "🖼"

  /// The name of the picture that this icon is: small letters and digits; `nil` for any other icon.
  public var pictureName: Substring? {
    guard hasPrefix(Self.pictureSign) else { return nil }
    let name = dropFirst()
    let isName = 1...13 ~= name.utf8.count && name.utf8.allSatisfy("0123456789abcdefghijklmnopqrstuvwxyz".utf8.contains)
    return isName ? name : nil
  }

  /// The printable icon, without the name of a picture.
  public var printableIcon: String { pictureName == nil ? printableLine : Self.pictureSign }
}

extension Substring.UnicodeScalarView {
  /// The rest of a control sequence after its escape that styles a text, moves the cursor or clears the screen.
  fileprivate var prefixOfControlSequence: Self? {
    guard first == "[" else { return nil }
    let end = dropFirst().prefix(16).firstIndex { !("0"..."9" ~= $0 || ";?".unicodeScalars.contains($0)) }
    guard let end, "mAGJK".unicodeScalars.contains(self[end]) else { return nil }
    return self[...end]
  }
}

extension Unicode.Scalar {
  fileprivate var isPrintable: Bool {
    switch value {
    case 0x09, 0x0a: true
    // Separators of lines and paragraphs, and characters that reverse the direction of text.
    case 0x2028...0x202e, 0x2066...0x2069: false
    default: properties.generalCategory != .control
    }
  }
}
