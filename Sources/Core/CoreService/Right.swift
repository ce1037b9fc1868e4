/// A right to call methods. Rights are independent: none includes another.
public enum Right: String, CaseIterable, Sendable {
  /// To read the counters and their history.
  case read
  /// To change values, as gestures do.
  case count
  /// To create, change and remove counters, groups and formulas.
  case administer
  /// To carry messages between this core and a fleet, as the bridge does.
  case share

  /// The action, to follow "may not".
  var action: String {
    switch self {
    case .read: "read the counters"
    case .count: "count"
    case .administer: "create, change or remove counters"
    case .share: "carry messages of a fleet"
    }
  }
}
