import ArgumentParser
import Calendars
import CoreAPI
import Counting
import Linux
import Reports
import Varlink

/// `tally add`: adds to a counter.
struct Add: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Add to a counter.",
    discussion: """
      With --at a count that was forgotten is recorded at its time. Several counters are counted together, and one undo \
      takes all of it back. If one of them is refused, none is counted; --limits stop refuses nothing, so that a counter \
      at its limit keeps its value, and the others count.
      Examples:
        tally add people
        tally add    (one step of the current counter; also: tally +)
        tally add 5  (5 to the current counter; also: tally +5)
        tally add litres 1.5
        tally add anna 1:30    (to a stopwatch; also 90, 90s, 5m or 1h30m)
        tally add kids=3 adults=2  (also: tally add kids 3 adults 2)
        tally add people 3 --at "yesterday 14:05"
      """)

  @OptionGroup var amount: AmountArguments
  @OptionGroup var options: CommonOptions

  func run() throws { try amount.count(ChangeRequest.add, options) }
}

/// `tally subtract`: subtracts from a counter.
struct Subtract: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Subtract from a counter.",
    discussion: """
      Examples:
        tally subtract people
        tally subtract  (from the current counter; also: tally -, or tally -5)
        tally subtract litres 0.5
        tally subtract kids=3 adults=2
        tally subtract people 3 --at 14:05
      """)

  @OptionGroup var amount: AmountArguments
  @OptionGroup var options: CommonOptions

  func run() throws { try amount.count(ChangeRequest.subtract, options) }
}

/// The counter, the amount and the time.
struct AmountArguments: ParsableArguments {
  @Argument(help: "The counter; default: the current counter.", completion: CounterArgument.completionOfCounts)
  var name: String?
  @Argument(help: ArgumentHelp("The amount, above 0; default: the counter's step.", valueName: "n")) var amount: String?
  @Argument(
    help: ArgumentHelp(
      "Further counters, each with its amount: if one is refused, none is counted. Also all as COUNTER=N.",
      valueName: "more"),
    completion: CounterArgument.completionOfCounts)
  var more: [String] = []
  @Option(
    help: ArgumentHelp(
      "The time of the count; default: now. Examples: 14:05, \"yesterday 14:05\", 2026-11-21T14:05. A day alone means its "
        + "middle. The day begins when the counter's period does.", valueName: "time"))
  var at: String?

  /// - Parameter request: creates the request from a name, an amount in units, an amount as text and a time.
  func count(
    _ request: (String?, Int64?, String?, Int64?) -> ChangeRequest, _ options: CommonOptions
  ) throws {
    let verb = request(nil, nil, nil, nil).method == .add ? "add" : "subtract"
    if let name, let amount, Tally.isNumber(name), amount.contains(where: \.isLetter) {
      throw ValidationError("The name of the counter comes before the amount: tally \(verb) \(amount) \(name)")
    }
    if let at { _ = try TimeSpan.moment(at) }
    if let counts = try several() {
      for count in counts { try refuseNegative(count.amount, of: count.name, verb) }
      let core = try CoreClient(options)
      for count in counts { try core.refuseThousand(count.amount, of: count.name) }
      return try count(counts, verb, core)
    }
    let (name, amount) = try target()
    if let amount { try refuseNegative(amount, of: name, verb) }
    let core = try CoreClient(options)
    if let amount { try core.refuseThousand(amount, of: name) }
    try core.report(request(name, nil, amount, time(of: name, core))) { event in
      Self.sentence(event, isLate: at != nil, core) + (name == nil ? Self.creation(before: event, core) : "")
    }
  }

  /// A remark about a counter that a count without a name has made because all others are archived.
  private static func creation(before event: EventLine, _ core: CoreClient) -> String {
    guard let made = try? core.client.call(.history(before: event.sequence, limit: 1)).events.first,
      made.knownKind == .created, made.counter == event.name, made.time == event.time,
      let others = try? core.client.call(.list).counters.filter({ $0.name != event.name }), let first = others.first
    else { return "" }
    return " (a new counter, as all others are archived; to take one out: tally archive \(first.name) --back)"
  }

  /// The value in effect; for a running stopwatch the time with the present run, which the event does not state.
  ///
  /// - Parameter isLate: whether the count was entered with a time, which the sentence states.
  private static func sentence(_ event: EventLine, isLate: Bool, _ core: CoreClient) -> String {
    let present = core.present(event.name)
    let count = present.flatMap { $0.isRunning ? $0.count : nil } ?? event.count
    let name = event.name + (present?.isArchived == true ? " (archived)" : "")
    return isLate ? "\(count) \(name) (\(event.late))" : "\(count) \(name)\(event.remarks)"
  }

  /// Counts several counters in one delivery, and prints the events.
  private func count(_ counts: [(name: String, amount: String)], _ verb: String, _ core: CoreClient) throws {
    let changes = try counts.enumerated().map { index, count in
      var change = Counters.Change()
      change.verb = verb
      (change.counter, change.quantity, change.time) = (count.name, count.amount, try time(of: count.name, core))
      change.isTogether = index > 0
      return change
    }
    let events = Self.withStandings(try core.deliver(changes))
    if core.isForPrograms { return core.printJSON(events) }
    // The end of a past period that follows a late count does not change the value in effect.
    for event in events where event.knownKind != .renewed {
      Output.line(Self.sentence(EventLine(event), isLate: at != nil, core))
    }
  }

  /// The events. A count of an ended period gets the value in effect, as in the reply to a single count.
  private static func withStandings(_ events: [Counters.Event]) -> [Counters.Event] {
    events.enumerated().map { index, event in
      guard [.added, .subtracted].contains(event.knownKind), events.indices.contains(index + 1),
        case let end = events[index + 1], end.knownKind == .renewed, end.began == nil, end.id == event.id
      else { return event }
      var event = event
      event[.standing] = end.value
      event[.until] = end.time
      return event
    }
  }

  /// The time of a count of this counter, or of the current one.
  private func time(of name: String?, _ core: CoreClient) throws -> Int64? {
    guard let at else { return nil }
    let counter = TimeText.isDay(at) ? try ofDay(name, core) : nil
    let days = DayStart(of: [counter?.period])
    var time = try TimeSpan.moment(at, days)
    let now = Clock.microsecondsSince1970()
    if time <= now {
      if TimeText.isDay(at) { time = Schedule.middle(ofDayFrom: time, secondOfDay: days.secondOfDay, now: now) }
      if time < 0 { throw ValidationError("“\(at)” is before 1970.") }
      return time
    }
    if let counter, try TimeSpan.moment(at) <= now {
      let present = LocalTime(microseconds: now).clock.prefix(5)
      throw ValidationError(
        "The day \(at) of \(counter.name) begins at \(LocalTime.minute(time)), which is still to come. "
          + "Write a time: --at \"\(at) \(present)\"")
    }
    let remedy = TimeText.secondOfDay(at) == nil ? "" : " For yesterday: --at \"yesterday \(at)\""
    throw ValidationError("“\(at)” is in the future; a count must have a time that has passed.\(remedy)")
  }

  /// The counter whose day begins with its period; `nil` if it does not exist.
  private func ofDay(_ name: String?, _ core: CoreClient) throws -> CounterLine? {
    do {
      return CounterLine(try core.client.call(.get(name)).counter)
    } catch let refusal as Counters.Refusal where refusal.name == .permissionDenied {
      throw ValidationError(
        "You may not read when the day of a counter begins. Write a time, such as --at \"yesterday 14:05\".")
    } catch {
      return nil
    }
  }

  private func refuseNegative(_ amount: String, of name: String?, _ verb: String) throws {
    guard amount.hasPrefix("-") else { return }
    let other = verb == "add" ? "subtract" : "add"
    let words = ([other, name].compactMap(\.self) + ["\(amount.dropFirst())"]).joined(separator: " ")
    throw ValidationError("An amount must be above 0. You can write: tally \(words)")
  }

  /// The counters and amounts of `a=3 b=2` or `a 3 b 2`; `nil` for a single count.
  func several() throws -> [(name: String, amount: String)]? {
    let words = [name, amount.map(Self.withoutPlus)].compactMap(\.self) + more
    if words.contains(where: { $0.contains("=") }) {
      return try words.map { word in
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
          throw ValidationError("“\(word)” is not a counter with its amount, such as people=3. Nothing was counted.")
        }
        return (parts[0], try Self.valid(parts[1]))
      }
    }
    guard words.count > 2 else { return nil }
    // A name contains a letter, an amount does not.
    return try stride(from: 0, to: words.count, by: 2).map { index in
      let pair = words[index...].prefix(2)
      guard let name = pair.first, let amount = pair.last, pair.count == 2, !Tally.isNumber(name),
        Tally.isNumber(amount)
      else {
        throw ValidationError(
          "Several counters each need an amount: tally add people=3 dogs=2. Nothing was counted.")
      }
      return (name, try Self.valid(amount))
    }
  }

  /// The counter, `nil` for the current one, and the amount. A number alone is an amount: a name contains a letter.
  func target() throws -> (name: String?, amount: String?) {
    guard let amount else {
      guard let name, Tally.isNumber(name) else { return (name, nil) }
      return (nil, try Self.valid(name))
    }
    let number = Self.withoutPlus(amount)
    if let name, number.first?.isLetter == true, (try? CounterName(number)) != nil {
      throw ValidationError(
        "“\(number)” is not an amount. To count several counters, write: \(name)=1 \(number)=1")
    }
    return (name, try Self.valid(number))
  }

  /// An amount without the plus sign that a person may have written.
  private static func withoutPlus(_ amount: String) -> String {
    amount.first == "+" && amount.dropFirst().first?.isNumber == true ? String(amount.dropFirst()) : amount
  }

  /// Checks an amount. Only the core knows the unit of the counter.
  static func valid(_ amount: String) throws -> String {
    let number = try NumberText.canonical(amount)
    let units = (0...9).map(Unit.decimal) + [.time]
    guard units.contains(where: { (try? $0.number(number)) != nil }) else {
      if amount.isEmpty { throw ValidationError("The amount is empty. Write a number, such as 5.") }
      // The maximum depends on the counter's decimals.
      let isLarge = amount.count > 18 && Tally.isNumber(amount)
      throw ValidationError(
        isLarge
          ? "“\(amount)” is too large for a counter."
          : "“\(amount)” is not a valid amount. Write a number, such as 5 or 1.5, or a time, such as 1:30 or 90s.")
    }
    return number
  }
}
