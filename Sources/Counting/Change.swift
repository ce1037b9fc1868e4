/// Something that a person or a program wants done.
public enum Change: Equatable, Sendable {
  /// - Parameters:
  ///   - decimals: how many digits of its numbers stand behind the decimal point.
  ///   - settings: what is not as usual.
  case create(name: String, decimals: Int64 = 0, isStopwatch: Bool = false, Settings = [:])
  /// Adds `amount`, or the counter's step; the current counter is made if there is none at all.
  case add(Target, amount: Quantity?)
  /// Takes off `amount`, or the counter's step; the current counter is made if there is none at all.
  case subtract(Target, amount: Quantity?)
  case select(Target)
  /// Makes the counter after the current one in its group the current one, or the one before; round at the ends.
  case selectNeighbour(Direction)
  /// Takes away a counter, or a formula of that name.
  case remove(Target)
  /// Sets counters back to their start: at once if it is confirmed, else the second time within the ledger's reset
  /// window; the first time arms it.
  case reset(Scope, isConfirmed: Bool)
  /// Says what the value should have been.
  case correct(Target, to: Quantity)
  /// Makes settings others.
  case set(Target, Settings)
  case lock(Target, Bool)
  /// Puts a counter elsewhere.
  case move(Target, to: Place)
  case clock(Target, StopwatchVerb)
  case createGroup(name: String, Settings = [:])
  case setGroup(String, Settings)
  /// Takes a group away; its counters belong to none then.
  case removeGroup(String)
  case moveGroup(String, to: Place)
  /// Closes the period of a counter, if it has ended by now, and begins the next one.
  case renew(Counter.ID)
  /// Makes a formula; the settings hold its text.
  case createFormula(name: String, Settings)
  case setFormula(String, Settings)
  /// Notes something about the event with this number; `nil` takes the note away.
  case note(Event, String?)
  /// Takes back what happened, the last first.
  case undo([Takeback], Reach = .one)
  /// Does again what undos took back: takes back the undos, the last first.
  case redo([Takeback], Reach = .one)

  public enum Direction: Sendable {
    case next
    case previous
  }

  /// Which counter is meant.
  public enum Target: Equatable, Sendable {
    case current
    case named(String)
  }

  /// Which counters are meant.
  public enum Scope: Equatable, Sendable {
    case one(Target)
    /// Those of the group with this name that are neither locked nor archived.
    case group(String)
    /// All that are neither locked nor archived.
    case all
  }

  /// Where a counter or a group is put.
  public enum Place: Equatable, Sendable {
    /// Before all others: of the group of this name, of those without a group for an empty one, of its own for `nil`.
    case first(of: String?)
    /// Behind all others, likewise.
    case last(of: String?)
    /// Beside another one, and into its group.
    case before(String)
    case after(String)
  }

  /// What is done to a stopwatch. The raw value is what the command line and the socket call it.
  public enum StopwatchVerb: String, Sendable, CaseIterable {
    case start
    case stop
    /// Starts one that stands, stops one that runs.
    case toggle
    /// Ends a lap and goes on running.
    case lap
  }

  /// An event that is to be taken back.
  public struct Takeback: Equatable, Sendable {
    public let event: Event
    /// What comes back by that.
    public let removed: Removed?

    public init(_ event: Event, reviving removed: Removed? = nil) {
      self.event = event
      self.removed = removed
    }
  }

  /// A counter, a group or a formula as it was when it was taken away.
  public enum Removed: Equatable, Sendable {
    case counter(Counter)
    case group(Group)
    case formula(Formula)
  }

  /// What an undo or a redo settles for good besides what it takes back: all that happened since is settled already.
  public enum Reach: Equatable, Sendable {
    /// Nothing.
    case one
    /// The events of the same counter.
    case counter
    case all
  }
}
