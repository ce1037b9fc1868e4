/// The colour of a counter or a group, in a terminal and in a picture.
public enum Colour {
  private static let names: [String: (terminal: String, picture: String)] = [
    "black": ("30", "#333333"), "red": ("31", "#d62828"), "green": ("32", "#2a9d4a"), "yellow": ("33", "#d9a400"),
    "blue": ("34", "#2f6fde"), "magenta": ("35", "#c2308f"), "cyan": ("36", "#1595a8"), "white": ("37", "#9aa0a6"),
    "grey": ("90", "#777777"), "orange": ("38;5;208", "#e8731a"), "purple": ("38;5;135", "#7d4fd3"),
    "pink": ("38;5;212", "#e57ba8"), "brown": ("38;5;130", "#8a5a2b"),
  ]

  /// The terminal's code; `nil` for none.
  public static func terminal(_ colour: String?) -> String? {
    guard let colour else { return nil }
    if let known = names[colour] { return known.terminal }
    guard let parts = parts(colour) else { return nil }
    return "38;2;\(parts.map(String.init).joined(separator: ";"))"
  }

  /// The SVG colour; `nil` for none.
  public static func picture(_ colour: String?) -> String? {
    guard let colour else { return nil }
    return names[colour]?.picture ?? (parts(colour) == nil ? nil : colour)
  }

  private static func parts(_ colour: String) -> [Int]? {
    let digits = Array(colour.dropFirst())
    guard colour.hasPrefix("#"), digits.count == 6, let number = Int(String(digits), radix: 16) else { return nil }
    return [number >> 16 & 0xff, number >> 8 & 0xff, number & 0xff]
  }
}
