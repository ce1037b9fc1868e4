extension Action {
  /// What takes this action back: it takes off what was added, or adds what was taken off. Nil for what has no inverse
  /// of its own.
  ///
  /// Where the action names no counter or no amount, neither does its inverse, and both are right only as long as the
  /// current counter and its step stay what they are: whoever knows what was really done has to take back that.
  public var inverse: Action? {
    switch verb {
    case .add: Action(verb: .subtract, counter: counter, amount: amount)
    case .subtract: Action(verb: .add, counter: counter, amount: amount)
    default: nil
    }
  }
}
