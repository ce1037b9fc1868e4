import Counting

extension Event {
  /// The right that an undo or redo of the event needs: the right for the change that is undone or redone. It follows
  /// from the event's effects, which an undo reverses. The end of a period needs the same right as a reset.
  var rightToTakeBack: Right {
    if about != nil, !alterations.isEmpty { return .count }
    guard presence == .unchanged else { return marks.contains(.madeToCount) ? .count : .administer }
    // A change of a setting needed this right even if it had no effect.
    if kind == .changed, alterations.isEmpty { return .administer }
    return alterations.contains { $0.field.isSetting } ? .administer : .count
  }
}

/// A refusal that depends on more than the method.
package struct PermissionDenied: Error {
  package let right: Right
  /// The action, to follow "may not".
  let action: String
  /// Whether the request came from a gesture; no right permits gestures this action.
  let isOfGesture: Bool

  /// The verb of the action: `undo` or `redo`.
  let verb: String

  private init(_ what: String, isRedo: Bool, isOfGesture: Bool) {
    verb = isRedo ? "redo" : "undo"
    (right, action, self.isOfGesture) = (.administer, "\(verb) \(what)", isOfGesture)
  }

  /// The refusal of an undo or redo of events that an import brought.
  static func toTakeBackImport(isRedo: Bool, isOfGesture: Bool) -> Self {
    Self("an import", isRedo: isRedo, isOfGesture: isOfGesture)
  }

  init(toTakeBack event: Event, isRedo: Bool, isOfGesture: Bool) {
    let what =
      switch event.presence {
      case .appeared: "the creation"
      case .disappeared: "the removal"
      case .unchanged: "a change"
      }
    self.init("\(what) of “\(event.name)”", isRedo: isRedo, isOfGesture: isOfGesture)
  }
}
