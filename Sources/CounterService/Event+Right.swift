import Counting

extension Event {
  /// The right that an undo or a redo of it needs: the one that it needed itself, or what it took back.
  ///
  /// It shows in what the event did, which an undo of it does as well, the other way round. What ends a period by itself
  /// is like a reset.
  var rightToTakeBack: Right {
    if about != nil, !alterations.isEmpty { return .count }
    guard presence == .unchanged else { return marks.contains(.madeToCount) ? .count : .administer }
    return alterations.contains { $0.field.isSetting } ? .administer : .count
  }
}

/// Something was refused that depends on more than the method that was called.
package struct PermissionDenied: Error {
  package let right: Right
  /// What is not allowed, in words that follow "may not".
  let deed: String

  init(toTakeBack event: Event) {
    right = .administer
    deed = "take back or do again what made, changed or removed “\(event.name)”"
  }
}
