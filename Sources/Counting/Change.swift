/// Something that a person or a program wants done.
public enum Change: Equatable, Sendable {
  case create(name: String, title: String?, start: Int64, step: Int64)
  /// Adds `amount`, or the counter's step; the current counter is made if there is none at all.
  case add(Target, amount: Int64?)
  /// Takes off `amount`, or the counter's step; the current counter is made if there is none at all.
  case subtract(Target, amount: Int64?)
  case select(Target)
  case remove(Target)
  /// Takes back what happened: `event`, with the removed counter that it brings back if it was a removal.
  case undo(Event, reviving: Counter?)

  /// Which counter is meant.
  public enum Target: Equatable, Sendable {
    case current
    case named(String)
  }
}
