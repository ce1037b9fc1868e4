import ArgumentParser
import CoreAPI
import JSON
import Linux
import Reports
import Text
import Varlink

/// Runs a ``Tour``: prints, reads keys, and counts.
final class GuidedTour {
  private var tour: Tour
  private let core: CoreClient
  private let keyboard: Keyboard
  private let options: CommonOptions
  /// Whether the tour has created the counter.
  private let isNew: Bool
  /// Keys that have not been used.
  private var keys: [TerminalKey] = []
  /// The event of the last key. The next key is not used until this event has arrived.
  private var awaited: Int64?

  init(of counter: String, isNew: Bool, _ core: CoreClient, _ keyboard: Keyboard, _ options: CommonOptions) {
    tour = Tour(counter: counter, canBind: Programs.has("tally-input"))
    self.isNew = isNew
    self.core = core
    self.keyboard = keyboard
    self.options = options
  }

  /// Ends when the user ends the tour.
  func run() throws {
    let stream = try CoreClient(options)
    // Gestures that name no counter apply to the current one.
    let former = try core.call(.list).counters.first(where: \.isCurrent)?.name
    if former != tour.counter {
      _ = try core.change(.select(tour.counter))
      sayCurrent(former)
    }
    keyboard.takeKeys()
    defer { keyboard.release() }
    var hasBegun = false
    stream.whenQuiet(for: LiveBoard.pace) { [self] in
      press()
      if isOver { end(former) }
    }
    try stream.stream(.watch()) { [self] reply in
      if !hasBegun {
        hasBegun = true
        perform(tour.opening)
      }
      if let event = reply.event {
        take(EventLine(event, of: reply.counter.map(CounterLine.init)))
      } else if reply.isResynchronise {
        // The event of the last key is among the missed ones.
        awaited = nil
      }
      press()
      if isOver { end(former) }
      return true
    }
  }

  private var isOver: Bool { tour.step == .ended || keyboard.hasEnded && keys.isEmpty && awaited == nil }

  private func take(_ event: EventLine) {
    var event = event
    if event.isUnclearWithoutOrigin { event.origin = (try? core.origin(of: event.event))?.event }
    Output.line(
      options.json
        ? event.json.description : "  " + event.text(withDay: false, width: Terminal.size.columns - 2))
    if let sequence = awaited, event.sequence >= sequence { awaited = nil }
    perform(tour.take(event))
  }

  /// Handles the pressed keys.
  private func press() {
    // Keys that are not handled yet wait in the terminal.
    if keys.isEmpty { keys = keyboard.keys() }
    while awaited == nil, tour.step != .ended, !keys.isEmpty {
      let key = keys.removeFirst()
      perform(tour.press(key), by: key)
    }
  }

  /// - Parameter key: the key that caused the acts, if any.
  private func perform(_ acts: [Tour.Act], by key: TerminalKey? = nil) {
    for act in acts {
      switch act {
      case .say(let text): Self.say("\n" + text, options)
      case .add: change(.add(tour.counter), by: key)
      case .undo: change(.undo(tour.counter), by: key)
      case .history: history()
      case .report: report()
      case .learn: learn()
      }
    }
  }

  /// Makes a change. A refusal is printed, and the tour continues.
  private func change(_ request: ChangeRequest, by key: TerminalKey?) {
    guard let key, let event = try? core.call(request.caused(by: key.cause)).event else { return }
    awaited = event.sequence
  }

  private func history() {
    guard !options.json, let events = try? core.lastEvents(5, .init(counters: [tour.counter])) else { return }
    for line in History.table(events, [:]) { Output.line("  " + line.clipped(to: Terminal.size.columns - 2)) }
  }

  private func report() {
    guard !options.json, let counter = try? core.call(.get(tour.counter)).counter else { return }
    Output.line("  " + Report.line(CounterLine(counter)).clipped(to: Terminal.size.columns - 2))
  }

  private func learn() {
    keyboard.release()
    defer { keyboard.takeKeys() }
    do {
      try ServiceProcess.run("tally-input", ["learn"])
      Self.say("\nTry it now. Enter ends the tour.", options)
    } catch {
      // The program has printed the reason.
      Self.say("\nNothing was bound. Later: tally-input learn. Enter ends the tour.", options)
    }
  }

  /// Prints the result and how to remove the counter, and ends the program.
  private func end(_ former: String?) -> Never {
    keyboard.release()
    let name = tour.counter
    if let counter = try? core.call(.get(name)).counter {
      let count = CounterLine(counter).count
      let removal = isNew ? "; tally remove \(name) removes it" : ""
      Self.say("\n\(count) \(name). It stays, with its history\(removal).", options)
    }
    sayCurrent(former)
    Self.say("The tour again: tally guide. All commands: tally help", options)
    Guide.exit()
  }

  /// Prints how to make gestures count the former current counter again.
  private func sayCurrent(_ former: String?) {
    guard let former, former != tour.counter else { return }
    Self.say(
      "Gestures that name no counter now count \(tour.counter). Back to \(former): tally select \(former)", options)
  }

  /// Prints text for a person, wrapped to the terminal.
  static func say(_ text: String, _ options: CommonOptions) {
    guard !options.json else { return Output.remark(text) }
    for line in text.wrapped(to: min(100, Terminal.size.columns)) { Output.line(line) }
  }
}
