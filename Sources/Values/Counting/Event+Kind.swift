extension Event {
  /// The kind of an event. The raw value is the name in the interface and the journal. The ``row`` has all
  /// other facts of a kind, except the right to undo it, which follows from the changes of the event.
  public enum Kind: String, Sendable, CaseIterable {
    case created
    case added
    case subtracted
    case selected
    case removed
    case undone
    case redone
    /// The first of the two requests that a reset needs.
    case armed
    case reset
    case corrected
    /// Settings were changed.
    case changed
    case locked
    case unlocked
    case started
    case stopped
    /// A lap of a stopwatch ended, and the next one started.
    case lapped
    /// A note was written about an earlier event.
    case noted
    /// A period ended, and the next one started.
    case renewed
    /// Counts and resets of other stations were received. Not a count: totals of this core leave it out.
    case learned

    /// The effect of an event on the value of a counter. Events with an effect need only the right to count.
    public enum Effect: Sendable {
      /// Adds or subtracts an amount. Only such events are counts, which totals include.
      case counts
      /// Sets the value. Earlier counts cannot be undone before this event is.
      case sets
      /// Starts a stopwatch.
      case starts
      /// Adds the measured time of a stopwatch.
      case times
      case none
    }

    private var row: (effect: Effect, noun: String?) {
      switch self {
      case .created: (.none, "the creation")
      case .added, .subtracted: (.counts, nil)
      case .selected: (.none, "the selection")
      case .removed: (.none, "the removal")
      case .reset: (.sets, "the reset")
      case .corrected: (.sets, nil)
      case .locked: (.none, "the lock")
      case .unlocked: (.none, "the unlocking")
      case .started: (.starts, "the start")
      case .stopped: (.times, "the stop")
      case .lapped: (.times, "the lap")
      case .renewed: (.none, "the end of the period")
      case .undone, .redone, .armed, .changed, .noted, .learned: (.none, nil)
      }
    }

    public var effect: Effect { row.effect }

    /// The event, for a sentence about its undo; `nil` where its change alone says enough.
    public var noun: String? { row.noun }

    /// Whether the event is a count.
    public var isCount: Bool { effect == .counts }

    /// Whether the event adds to the measured time of a stopwatch.
    public var isTiming: Bool { effect == .times }

    /// The kinds with these effects.
    public static func all(_ effects: Effect...) -> [Kind] { allCases.filter { effects.contains($0.effect) } }
  }
}
