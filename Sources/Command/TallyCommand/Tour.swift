import CoreAPI
import Counting
import Linux

/// The steps of `tally guide`: the text for each key or event. It neither reads nor writes.
struct Tour {
  enum Step { case count, undo, watch, bind, ended }

  enum Act: Equatable {
    case say(String)
    case add, undo
    /// Prints the last events.
    case history
    case report
    /// Runs `tally-input learn`.
    case learn
  }

  /// The counter's name.
  let counter: String
  /// Whether `tally-input` is installed.
  let canBind: Bool
  private(set) var step = Step.count
  private var counted = 0

  /// The number of counts of the first step.
  private static let wanted = 3

  init(counter: String, canBind: Bool) {
    self.counter = counter
    self.canBind = canBind
  }

  var opening: [Act] {
    [
      .say(
        "Count: press your pedal, presenter or button three times. Space counts here as well. At any point "
          + "Enter goes on, and q ends the tour.")
    ]
  }

  mutating func press(_ key: TerminalKey) -> [Act] {
    switch key {
    case .letter(" "), .letter("+"): return [.add]
    case .letter("u"): return [.undo]
    case .letter("b") where step == .bind && canBind:
      return [.learn]
    case .enter: return next()
    case .letter("q"):
      step = .ended
      return []
    default: return []
    }
  }

  /// An event of any counter, which was printed.
  mutating func take(_ event: EventLine) -> [Act] {
    switch (step, event.knownKind) {
    case (.count, .added), (.count, .subtracted):
      counted += 1
      return counted == Self.wanted ? next() : []
    case (.undo, .undone): return next()
    default: return []
    }
  }

  private mutating func next() -> [Act] {
    switch step {
    case .count:
      step = .undo
      return [
        .say(
          "Every count is stored before it is shown. Now undo the last one: press u, or type in a second terminal: "
            + "tally undo")
      ]
    case .undo:
      step = .watch
      return [
        .say("Nothing is lost by that: the history keeps every event and what made it. tally history \(counter):"),
        .history,
        .say(
          "To see all counters and each press as it arrives, type in a second terminal: tally watch. Count meanwhile, "
            + "here or with a device. Enter goes on."),
      ]
    case .watch:
      step = .bind
      let binding =
        canBind
        ? "tally-input devices lists what is there and which command names it. To bind a key or a gesture now, press b "
          + "(tally-input learn). Enter ends the tour."
        : "The program for that, tally-input, is not installed here. Enter ends the tour."
      return [
        .say("For a message, by --mail, --text or --copy: tally report \(counter):"), .report,
        .say(
          "Presenters and shutters that Tallymark knows count at once. Touchscreens, and pedals that can type letters, "
            + "count once you name them. " + binding),
      ]
    case .bind, .ended:
      step = .ended
      return []
    }
  }
}
