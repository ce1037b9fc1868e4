/// A right to call methods. Rights are independent: none includes another.
public enum Right: String, CaseIterable, Sendable {
  /// To read the counters and their history.
  case read
  /// To change values, as gestures do.
  case count
  /// To create, change and remove counters, groups and formulas.
  case administer

  /// The action, to follow "may not".
  var action: String {
    switch self {
    case .read: "read the counters"
    case .count: "count"
    case .administer: "create, change or remove counters"
    }
  }
}
