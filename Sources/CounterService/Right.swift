/// What somebody may ask of the core; each is given by itself and none includes another.
public enum Right: String, CaseIterable, Sendable {
  /// To see counters and their history.
  case read
  /// To change values: gestures and whoever counts.
  case count
  /// To decide which counters there are, and how they are set.
  case administer

  /// The right that a method of the interface needs.
  ///
  /// A method that is not listed here is for administrators: forgetting one must not open it.
  public static func needed(for method: String) -> Right { methods[method] ?? .administer }

  package static let methods: [String: Right] = [
    "List": .read, "Get": .read, "Groups": .read, "History": .read, "Totals": .read, "Statistics": .read, "Past": .read,
    "Export": .read,
    "Overview": .read, "Watch": .read,
    "Add": .count, "Subtract": .count, "Select": .count, "Next": .count, "Previous": .count, "Reset": .count,
    "Correct": .count, "Start": .count, "Stop": .count, "Toggle": .count, "Lap": .count, "Note": .count,
    "Undo": .count, "Redo": .count, "Open": .count, "Deliver": .count,
    "Import": .administer, "Create": .administer, "Set": .administer, "Move": .administer, "Lock": .administer,
    "Unlock": .administer,
    "Remove": .administer, "CreateGroup": .administer, "SetGroup": .administer, "MoveGroup": .administer,
    "RemoveGroup": .administer, "CreateFormula": .administer, "SetFormula": .administer,
  ]

  /// What it allows, in words that follow "may not".
  var deed: String {
    switch self {
    case .read: "read the counters"
    case .count: "count"
    case .administer: "make, change or remove counters"
    }
  }
}
