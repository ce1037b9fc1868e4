/// Something that a person or a program wants done.
public enum Change: Equatable, Sendable {
  case create(name: String, title: String?, start: Int64, step: Int64)
  /// Adds `amount`, or the counter's step; the current counter is made if there is none at all.
  case add(Target, amount: Int64?)
  /// Takes off `amount`, or the counter's step; the current counter is made if there is none at all.
  case subtract(Target, amount: Int64?)
  case select(Target)
  /// Makes the counter after the current one in order the current one, or the one before; round at the ends.
  case selectNeighbour(Direction)
  case remove(Target)
  /// Sets the counter back to its start: at once if it is confirmed, else the second time within the ledger's reset
  /// window; the first time arms it.
  case reset(Target, isConfirmed: Bool)
  /// Says what the value should have been.
  case correct(Target, to: Int64)
  /// Takes back what happened: `event`, with the removed counter that comes back if the event took it away.
  case undo(Event, reviving: Counter?)
  /// Does again what an undo took back: takes back the undo `event`.
  case redo(Event, reviving: Counter?)

  public enum Direction: Sendable {
    case next
    case previous
  }

  /// Which counter is meant.
  public enum Target: Equatable, Sendable {
    case current
    case named(String)
  }
}
