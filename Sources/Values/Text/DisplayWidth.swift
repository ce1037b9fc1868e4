extension String {
  /// The width in terminal columns: East Asian letters and most emoji take two, combining marks none.
  public var columns: Int {
    var (columns, isStyle) = (0, false)
    for character in self {
      // Escape sequences, from the escape to the next letter, take no columns.
      if character == "\u{1B}" { isStyle = true }
      if !isStyle { columns += character.columns }
      if character.isASCII, character.isLetter { isStyle = false }
    }
    return columns
  }

  /// Pads the text with spaces to `width` columns.
  public func padded(to width: Int, onLeft: Bool = false) -> String {
    let spaces = String(repeating: " ", count: max(0, width - columns))
    return onLeft ? spaces + self : self + spaces
  }

  /// Clips the text to `width` columns, with an ellipsis. Styles are kept.
  public func clipped(to width: Int) -> String {
    guard columns > width else { return self }
    var (text, taken, isStyle, isFull) = ("", 0, false, width <= 0)
    for character in self {
      if character == "\u{1B}" { isStyle = true }
      if isStyle {
        text.append(character)
      } else if !isFull {
        isFull = taken + character.columns > width - 1
        text.append(isFull ? "…" : character)
        taken += character.columns
      }
      if character.isASCII, character.isLetter { isStyle = false }
    }
    return text
  }

  /// Clips the text to `width` columns by an ellipsis in its middle, because texts may differ in their ends.
  public func clippedInside(to width: Int) -> String {
    guard columns > width else { return self }
    var end = ""
    for character in reversed() {
      guard end.columns + String(character).columns <= width / 3 else { break }
      end = String(character) + end
    }
    return clipped(to: width - end.columns) + end
  }

  /// The text in lines of at most `width` columns, broken at spaces and at its line breaks. A longer word is a line.
  public func wrapped(to width: Int) -> [String] {
    split(separator: "\n", omittingEmptySubsequences: false).flatMap { paragraph in
      var lines: [String] = []
      var line = ""
      for word in paragraph.split(separator: " ") {
        if !line.isEmpty, line.columns + 1 + String(word).columns > width {
          lines.append(line)
          line = ""
        }
        line += (line.isEmpty ? "" : " ") + word
      }
      return lines + [line]
    }
  }
}

extension Character {
  fileprivate var columns: Int {
    guard let first = unicodeScalars.first else { return 0 }
    // An emoji sequence is drawn as one emoji.
    if unicodeScalars.contains("\u{FE0F}") || first.properties.isEmojiPresentation { return 2 }
    switch first.properties.generalCategory {
    case .control, .format, .nonspacingMark, .enclosingMark: return 0
    default: return Self.wide.contains { $0.contains(first.value) } ? 2 : 1
    }
  }

  /// East Asian scripts and full-width forms: W and F in Unicode's EastAsianWidth.txt, merged.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115f, 0x2e80...0x303e, 0x3041...0xa4cf, 0xa960...0xa97c, 0xac00...0xd7a3, 0xf900...0xfaff,
    0xfe30...0xfe6f, 0xff00...0xff60, 0xffe0...0xffe6, 0x17000...0x18cff, 0x1b000...0x1b2ff, 0x20000...0x3fffd,
  ]
}
