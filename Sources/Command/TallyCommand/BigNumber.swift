import Reports
import Text

/// A number in digits that fill a terminal.
enum BigNumber {
  /// The dots of each character, three by five; the rows from top to bottom, the highest of three bits for the left
  /// dot.
  private static let dots: [Character: [UInt8]] = [
    "0": [7, 5, 5, 5, 7], "1": [2, 6, 2, 2, 7], "2": [7, 1, 7, 4, 7], "3": [7, 1, 3, 1, 7], "4": [5, 5, 7, 1, 1],
    "5": [7, 4, 7, 1, 7], "6": [7, 4, 7, 5, 7], "7": [7, 1, 2, 2, 2], "8": [7, 5, 7, 5, 7], "9": [7, 5, 7, 1, 7],
    "−": [0, 0, 7, 0, 0], "-": [0, 0, 7, 0, 0], "+": [0, 2, 7, 2, 0], "%": [5, 1, 2, 4, 5],
  ]
  /// The dots of marks, which take one column.
  private static let marks: [Character: [UInt8]] = [
    ".": [0, 0, 0, 0, 1], ",": [0, 0, 0, 1, 1], ":": [0, 1, 0, 1, 0], "'": [1, 1, 0, 0, 0], "’": [1, 1, 0, 0, 0],
  ]
  private static let height = 5

  /// The lines of a text in the largest digits that fit, at most `rows`; the text itself if none fit, or if it has
  /// characters other than those of numbers.
  ///
  /// A dot is as many columns wide as half rows high, because a cell is about twice as high as wide.
  static func lines(_ text: String, columns: Int, rows: Int) -> [String] {
    guard let dots = grid(text) else { return [text.clipped(to: columns)] }
    let size = min(columns / dots[0].count, rows * 2 / height)
    guard size > 0 else { return [text.clipped(to: columns)] }
    let halves = dots.flatMap { row in
      Array(repeating: row.flatMap { Array(repeating: $0, count: size) }, count: size)
    }
    return stride(from: 0, to: halves.count, by: 2).map { above in
      let upper = halves[above]
      let lower = above + 1 < halves.count ? halves[above + 1] : []
      return String(upper.indices.map { cell(upper[$0], lower.indices.contains($0) && lower[$0]) })
    }
  }

  private static func cell(_ upper: Bool, _ lower: Bool) -> Character {
    switch (upper, lower) {
    case (true, true): "█"
    case (true, false): "▀"
    case (false, true): "▄"
    case (false, false): " "
    }
  }

  /// The dots of a text, rows from above; `nil` for a text that is no number.
  private static func grid(_ text: String) -> [[Bool]]? {
    var rows = Array(repeating: [Bool](), count: height)
    for character in text {
      let (bits, width): ([UInt8], Int)
      if let known = dots[character] {
        (bits, width) = (known, 3)
      } else if let known = marks[character] {
        (bits, width) = (known, 1)
      } else if character.isWhitespace {
        (bits, width) = (Array(repeating: 0, count: height), 1)
      } else {
        return nil
      }
      for row in rows.indices {
        if !rows[row].isEmpty { rows[row].append(false) }
        rows[row] += (0..<width).reversed().map { bits[row] >> $0 & 1 == 1 }
      }
    }
    return rows[0].isEmpty ? nil : rows
  }
}
