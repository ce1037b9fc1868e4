extension ArchiveError {
  /// A refusal of counts that may be in what is here already. Its remedy begins with undos.
  public struct UndoFirst: Equatable, Sendable {
    /// The reason, as a sentence.
    let reason: String
    /// The events to undo, in this order.
    public let events: [Int64]
    /// The sentence that names the undos, and the one in its place if they are refused.
    let (remedy, otherwise): (String, String)
    /// The sentence for counts that are not those here.
    let further: String
    /// The reason why the events cannot be undone, as a sentence; `nil` for none.
    public var obstacle: String?

    var message: String {
      [reason, obstacle == nil ? remedy : otherwise, obstacle ?? "", further].filter { !$0.isEmpty }.joined(
        separator: " ")
    }
  }

  /// A row that replaces an amount of an earlier import, on whose day a person took something back since.
  ///
  /// - Parameters:
  ///   - amounts: those of the earlier import, of the file and of the entries by hand, and the sum of the last two.
  ///   - entry: the last entry by hand, and the command that enters it again.
  public static func correctedByHand(
    _ name: CounterName, _ amounts: (before: String, now: String, byHand: String, sum: String),
    by entry: (event: Int64, command: String), _ place: Place, _ time: String
  ) -> Self {
    .undoFirst(
      UndoFirst(
        reason:
          "\(place.text(time))the file has \(amounts.now) for “\(name.text.shortened)” in place of \(amounts.before), but \(amounts.byHand) was entered by hand on this day since, so that \(amounts.sum) would be left.",
        events: [entry.event],
        remedy:
          "Undo event \(entry.event) and import the file again: tally undo \(entry.event). If the event counts as well, enter it again after that: \(entry.command)",
        otherwise: "", further: ""))
  }

  /// A row that no earlier import brought and that has the amount which a person entered for its day or time.
  ///
  /// - Parameter events: the entries, in order.
  public static func enteredByHand(
    _ name: CounterName, _ amount: String, _ events: [Int64], _ place: Place, _ time: String
  ) -> Self {
    let otherwise = "If it is the same count, leave the row out of the file."
    // Nobody undoes many by their numbers.
    let events = events.count > 5 ? [] : events
    let undos = events.reversed().map { "tally undo \($0)" }.joined(separator: "; ")
    return .undoFirst(
      UndoFirst(
        reason:
          "\(place.text(time))\(amount) was entered by hand for “\(name.text.shortened)”, and the file has the same.",
        events: events.reversed(),
        remedy: events.isEmpty
          ? otherwise
          : "If it is the same count, undo \(events.count == 1 ? "the entry" : "the \(events.count) entries") and import the file again: \(undos).",
        otherwise: otherwise,
        further: "If both count, import this row alone with --again add."))
  }

  /// An event from before the time at which an earlier import set its counter to a value.
  ///
  /// - Parameters:
  ///   - set: the event that set the value.
  ///   - time: the time of that event.
  public static func inImportedValue(_ name: CounterName, _ set: Int64, _ time: String) -> Self {
    .undoFirst(
      UndoFirst(
        reason:
          "The file has counts of “\(name.text.shortened)” from before \(time), when an import set it to a value. They may be in that value, and would count twice.",
        events: [set], remedy: "Undo that import, then import the file again: tally undo \(set).", otherwise: "",
        further: "If both count: tally import with --again add."))
  }
}
