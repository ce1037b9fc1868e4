import Text

/// The names of keys and their codes. libevdev has the list; this module only needs the mapping.
public struct KeyNames: Sendable {
  /// The code of a name such as `KEY_B` or `BTN_LEFT`.
  public let code: @Sendable (String) -> UInt16?
  /// The names to suggest for an unknown name; may be empty.
  public let known: [String]

  public init(code: @escaping @Sendable (String) -> UInt16?, known: [String] = []) {
    self.code = code
    self.known = known
  }

  /// The most similar known name, to suggest for an unknown name; nil without a similar name.
  func guess(for name: String) -> String? {
    let upper = name.uppercased()
    let short = upper.hasPrefix("KEY_") ? String(upper.dropFirst(4)) : upper
    let spellings = [upper, "KEY_" + upper, "BTN_" + upper, "KEY_" + (Self.aliases[short] ?? short)]
    return spellings.first { code($0) != nil } ?? Suggestion.nearest(to: name, among: known)
  }

  /// Names in other systems and programs, and the kernel's names for the same keys, both without `KEY_`.
  private static let aliases = [
    "PGUP": "PAGEUP", "PRIOR": "PAGEUP", "PGDN": "PAGEDOWN", "PGDOWN": "PAGEDOWN", "PAGEDN": "PAGEDOWN",
    "ESCAPE": "ESC", "RETURN": "ENTER", "SPACEBAR": "SPACE", "BKSP": "BACKSPACE", "DEL": "DELETE", "INS": "INSERT",
    "CTRL": "LEFTCTRL", "CONTROL": "LEFTCTRL", "LCTRL": "LEFTCTRL", "RCTRL": "RIGHTCTRL", "SHIFT": "LEFTSHIFT",
    "ALT": "LEFTALT", "ALTGR": "RIGHTALT", "META": "LEFTMETA", "SUPER": "LEFTMETA", "WIN": "LEFTMETA",
    "CAPS": "CAPSLOCK", "PRTSC": "SYSRQ", "PRINTSCREEN": "SYSRQ", "BREAK": "PAUSE", "PLUS": "KPPLUS",
    "HYPHEN": "MINUS", "PERIOD": "DOT", "VOLUP": "VOLUMEUP", "VOLDOWN": "VOLUMEDOWN", "VOLDN": "VOLUMEDOWN",
  ]
}
