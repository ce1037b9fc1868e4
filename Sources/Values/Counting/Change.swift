/// The batch of a change's events, in addition to the batches that single changes form.
public enum Batch: Equatable, Sendable {
  case none
  /// The change is the first one of a batch.
  case begins
  /// The change belongs to the batch that begins with this event.
  case goesOn(Int64)
}

/// A change that a person or a program requests.
public enum Change: Equatable, Sendable {
  /// - Parameters:
  ///   - decimals: the number of digits after the decimal point.
  ///   - settings: the settings that differ from the defaults.
  case create(name: String, decimals: Int64 = 0, isStopwatch: Bool = false, Settings = [:])
  /// Adds `amount`, or the counter's step. Without any counter it creates one.
  case add(Target, amount: Quantity?)
  /// Subtracts `amount`, or the counter's step. Without any counter it creates one.
  case subtract(Target, amount: Quantity?)
  case select(Target)
  /// Selects the next or previous counter in the group of the current one, or the first counter of the next or previous
  /// group, cyclically.
  case selectNeighbour(Direction, ofGroups: Bool = false)
  /// Removes the counter or formula of this name.
  case remove(Target)
  /// Resets counters to their start: at once if confirmed, otherwise by the second request within the ledger's reset
  /// window; the first request returns an `armed` event.
  case reset(Scope, isConfirmed: Bool)
  /// Sets the correct value.
  case correct(Target, to: Quantity)
  /// Changes the value by the amount that an event of this kind had in another journal.
  case merge(Target, Event.Kind, by: Int64)
  /// Changes settings of a counter or a formula.
  case set(Target, Settings)
  case lock(Target, Bool)
  /// Moves a counter, or a formula among the formulas.
  case move(Target, to: Place)
  case clock(Target, StopwatchVerb)
  /// Starts, stops, toggles or laps all stopwatches of the group with this name, or of all counters for `nil`, that are
  /// neither locked nor archived. A toggle stops the running ones; if none runs, it starts all.
  case clockAll(ofGroup: String?, StopwatchVerb)
  case createGroup(name: String, Settings = [:])
  case setGroup(String, Settings)
  /// Removes a group; its counters remain without a group.
  case removeGroup(String)
  case moveGroup(String, to: Place)
  /// Closes the period of a counter if it has ended, and starts the next one.
  case renew(Counter.ID)
  /// Changes the value of a shared counter by the acts of other stations.
  case learn(Counter.ID, by: Int64)
  /// Creates a formula; the settings contain its text.
  case createFormula(name: String, Settings)
  case setFormula(String, Settings)
  /// Sets the note about an event; `nil` removes the note.
  ///
  /// - Parameter standing: the value of the event's counter, if the counter was removed.
  case note(Event, String?, standing: Int64? = nil)
  /// Undoes events in the given order, usually the last one first.
  case undo([Takeback], UndoScope = .one)
  /// Redoes changes by undoing their undos, in the given order.
  case redo([Takeback], UndoScope = .one)

  /// The counters that the change names; `nil` for a change that names none.
  public var scope: Scope? {
    switch self {
    case .add(let target, _), .subtract(let target, _), .correct(let target, _), .merge(let target, _, _),
      .clock(let target, _), .set(let target, _), .lock(let target, _), .move(let target, _), .remove(let target):
      .one(target)
    case .reset(let scope, _): scope
    case .clockAll(let name, _): name.map(Scope.group) ?? .all
    default: nil
    }
  }

  public enum Direction: Sendable {
    case next
    case previous
  }

  /// The counter that a change applies to.
  public enum Target: Equatable, Sendable {
    case current
    case named(String)
  }

  /// The counters that a reset applies to.
  public enum Scope: Equatable, Sendable {
    case one(Target)
    /// The counters of the group with this name that are neither locked nor archived.
    case group(String)
    /// All counters that are neither locked nor archived.
    case all
  }

  /// The new position of a counter or a group.
  public enum Place: Equatable, Sendable {
    /// The first position of the group with this name; for an empty name, of the counters without a group; for `nil`,
    /// of the present group.
    case first(of: String?)
    /// The last position of a group, which is given as for `first`.
    case last(of: String?)
    /// Beside another counter, in the group of that counter.
    case before(String)
    case after(String)
  }

  /// An operation of a stopwatch. The raw value is the name in the command line and the interface.
  public enum StopwatchVerb: String, Sendable, CaseIterable {
    case start
    case stop
    /// Starts a stopped stopwatch, or stops a running one.
    case toggle
    /// Ends a lap and continues to run.
    case lap
  }

  /// An event to undo.
  public struct Takeback: Equatable, Sendable {
    public let event: Event
    /// The entity that the undo restores, as it was when it was removed.
    public let removed: Entity?
    /// The end of the event's period in microseconds since 1970, if that period has ended: the undo leaves the current
    /// value as it is. `nil` also for the end of a period, and for a late count that is undone with the closing of its
    /// period.
    public let end: Int64?
    /// Whether the undo belongs to that of an import.
    public let isOfImport: Bool

    public init(
      _ event: Event, reviving removed: Entity? = nil, ofPeriodEnding end: Int64? = nil, isOfImport: Bool = false
    ) {
      self.event = event
      self.isOfImport = isOfImport
      self.removed = removed
      self.end = end
    }
  }

  /// The range that a later undo or redo may skip after this one, because all events in it are undone already.
  public enum UndoScope: Equatable, Sendable {
    /// Only the event itself.
    case one
    /// The events of the same counter.
    case counter
    case all
  }
}
