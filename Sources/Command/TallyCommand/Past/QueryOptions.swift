public import ArgumentParser
import Calendars
import CoreAPI
import Counting
import Linux
public import Reports

/// The selection of counters of a query.
struct CounterChoice: ParsableArguments {
  @Argument(help: "The counters; default: all.", completion: CounterArgument.completion)
  var names: [String] = []
  @Option(
    help: ArgumentHelp("Only counters of this group.", valueName: "group"), completion: GroupArgument.completion)
  var group: String?

  func validate() throws {
    if !names.isEmpty, group != nil { throw ValidationError("Use either counters or --group.") }
  }

  /// The request for the selected counters, with formulas.
  var request: Counters.Request<Counters.ListReply> { .list(counters: names.isEmpty ? nil : names) }

  /// The selected counters of the reply to ``request``.
  ///
  /// - Parameter canBeNone: whether a group may have no counters.
  /// - Throws: a `ValidationError` for a group without counters.
  func counters(_ core: CoreClient, of list: Counters.ListReply, canBeNone: Bool = false) throws -> [CounterLine] {
    let all = list.counters.map(CounterLine.init)
    guard let group else { return all }
    let found = all.filter { $0.group == group }
    if found.isEmpty, !canBeNone {
      // An unknown group is refused by the core.
      _ = try core.call(.overview(group))
      throw ValidationError("The group “\(group)” has no counters yet: tally move NAME --group \(group)")
    }
    return found
  }

  /// The selected counters as in ``counters(_:of:canBeNone:)``, without archived ones unless they are named.
  ///
  /// - Throws: a `ValidationError` also if all counters are archived.
  func unarchived(_ core: CoreClient, of list: Counters.ListReply, canBeNone: Bool = false) throws -> [CounterLine] {
    let counters = try counters(core, of: list, canBeNone: canBeNone)
    let shown = counters.filter { !$0.isArchived || !names.isEmpty }
    guard !shown.isEmpty || counters.isEmpty || canBeNone else {
      throw ValidationError(GroupLine.allArchived(group, counters.map(\.name)))
    }
    return shown
  }

  /// The start of days that the selected counters have in common, those behind selected formulas included.
  func days(of list: Counters.ListReply) -> DayStart {
    let selected = list.counters.filter { counter in
      names.isEmpty ? !counter.isArchived && (group == nil || counter.group == group) : names.contains(counter.name)
    }
    let formulas = list.formulas.filter { names.contains($0.name) }
    return DayStart(of: (selected + formulas.flatMap(list.counters(behind:))).map(\.period))
  }

  /// The names of the selected counters for a query of the history, removed counters included; `nil` for all.
  func namesEver(_ core: CoreClient) throws -> [String]? {
    if !names.isEmpty { return names }
    return group == nil ? nil : try counters(core, of: core.call(request)).map(\.name)
  }

  /// The selected counters in parts of one unit, because numbers of different units have no sum: counts first, then
  /// times. A part has a title if there are several.
  ///
  /// - Throws: a `ValidationError` for a group without counters.
  func partsOfSum(_ core: CoreClient, of existing: [Counters.Counter]) throws -> [(names: [String]?, title: String?)] {
    let names = try namesOfSum(core, of: existing)
    let known = existing.filter { names?.contains($0.name) ?? true }
    var units: [Unit] = []
    for unit in known.map(\.unit) where !units.contains(unit) { units.append(unit) }
    units = units.filter { $0 != .time } + units.filter { $0 == .time }
    guard units.count > 1 else { return [(units == [.time] ? known.map(\.name) : names, nil)] }
    // Removed counters, whose unit is unknown, are in the first part.
    let removed = (names ?? []).filter { name in !known.contains { $0.name == name } }
    let areNamed = units.count { $0 != .time } > 1
    return units.enumerated().map { index, unit in
      let names = known.filter { $0.unit == unit }.map(\.name) + (index == 0 ? removed : [])
      let title = (unit == .time ? "Stopwatches: " : "") + names.joined(separator: ", ")
      return (names, unit == .time || areNamed ? title : nil)
    }
  }

  /// The names of the selected counters for a sum, which leaves out archived ones unless they are named; `nil` if there
  /// are no counters.
  func namesOfSum(_ core: CoreClient, of existing: [Counters.Counter]) throws -> [String]? {
    let names = try namesEver(core) ?? existing.map(\.name)
    let archived = archived(existing)
    guard archived.isEmpty || archived.count < names.count else {
      throw ValidationError(GroupLine.allArchived(group, archived))
    }
    return names.isEmpty ? nil : names.filter { !archived.contains($0) }
  }

  /// The archived counters that a sum leaves out.
  private func archived(_ existing: [Counters.Counter]) -> [String] {
    guard names.isEmpty else { return [] }
    return existing.filter { $0.isArchived && (group == nil || $0.group == group) }.map(\.name)
  }

  /// Names the archived counters that a sum has left out.
  func remarkArchived(_ existing: [Counters.Counter]) {
    let archived = archived(existing)
    if !archived.isEmpty { Output.remark("Left out (archived): \(archived.abridged()).") }
  }
}

/// The options of a time range.
struct TimeSpan: ParsableArguments {
  @Option(help: ArgumentHelp("Start time: 14:05, yesterday 9:00, 2026-11-21 (its start).", valueName: "time"))
  var from: String?
  @Option(help: ArgumentHelp("End time, which is not included.", valueName: "time")) var until: String?

  /// The range in microseconds since 1970. A day without a time begins with the periods of the selected counters.
  func moments(_ core: CoreClient, _ choice: CounterChoice) throws -> (from: Int64?, until: Int64?) {
    guard from != nil || until != nil else { return (nil, nil) }
    let days = choice.days(of: try core.call(.list))
    let (from, until) = (try from.map { try Self.moment($0, days) }, try until.map { try Self.moment($0, days) })
    if let from, let until, from >= until { throw ValidationError("--until must be later than --from.") }
    return (from, until)
  }

  /// Parses a time option.
  static func moment(_ text: String, _ days: DayStart = .midnight) throws -> Int64 {
    do throws(TimeError) {
      return try TimeText.moment(
        text, now: Clock.microsecondsSince1970(), in: Zone.local, startOfDay: days.start(of:))
    } catch {
      throw ValidationError(error.message)
    }
  }
}

extension TimeUnit: ExpressibleByArgument {}
