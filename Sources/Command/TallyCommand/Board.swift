import CoreAPI
import Linux
import Reports
import Text

/// The content of the live display: counters, formulas and the last events, according to the stream of changes.
struct Board {
  /// Data that the stream does not contain and that must be fetched before the next drawing.
  enum Missing {
    case nothing
    /// The totals of the last hour have changed.
    case lastHour
    /// Counters, groups or formulas were created, changed or removed.
    case definitions
  }

  /// The part that is shown if not all lines fit.
  enum Position: Equatable {
    /// The beginning, with the last changed counters before all others.
    case newest
    /// The lines from this one on, in their usual order.
    case line(Int)
  }

  private(set) var missing = Missing.nothing
  /// The counters in order. Times are on the clock of ``take(_:at:)``.
  private var counters: [(line: CounterLine, repliedAt: Int64)] = []
  private var formulas: [Counters.Formula] = []
  private var groups: [Counters.Group] = []
  private var lastHour: [String: Int64] = [:]
  /// The last events, newest first.
  private var events: [EventLine] = []
  private(set) var flashed: (name: String, at: Int64)?
  /// The counters that have changed since the start, the last one first.
  private var changed: [String] = []
  private var position = Position.newest
  /// A sentence to show below the rest, such as that the core is not running.
  var notice: String?
  /// The IDs of the counters and formulas to show; `nil` for all.
  private var watched: Set<Int64>?
  private let watchesAll: Bool
  /// Whether one counter fills the screen.
  let isBig: Bool
  /// The counter on display that a key has selected; `nil` for the current one, or for the first of those watched.
  private var picked: String?

  /// The minimum and maximum number of events below the counters.
  private static let eventsShown = (least: 3, most: 10)
  /// The maximum number of kept changes, more than fit on a screen.
  private static let changesKept = 200
  /// The duration of a changed counter's flash, in nanoseconds.
  private static let flash: Int64 = 400_000_000

  init(watchesAll: Bool, isBig: Bool = false) {
    self.watchesAll = watchesAll
    self.isBig = isBig
  }

  // MARK: One counter

  /// The counter that fills the screen, with the time of its reply.
  var shown: (line: CounterLine, repliedAt: Int64)? {
    let own = picked.map { name in counters.first { $0.line.name == name } } ?? nil
    return own ?? (watchesAll ? counters.first { $0.line.counter.isCurrent } : nil) ?? counters.first
  }

  /// The formula that fills the screen instead of a counter: the selected one, or the first named one if no counter is
  /// named. `nil` if no names were given.
  var shownFormula: FormulaLine? {
    guard !watchesAll else { return nil }
    let formula = formulas.first { $0.name == picked } ?? (counters.isEmpty ? formulas.first : nil)
    return formula.map(FormulaLine.init)
  }

  /// The last events, newest first.
  func newest(_ count: Int, columns: Int) -> [String] {
    events.prefix(count).map { $0.text(withDay: false, width: columns) }
  }

  /// Shows a neighbour of the counter on display.
  mutating func move(by step: Int) {
    let names =
      counters.filter { !$0.line.isArchived }.map(\.line.name) + (watchesAll ? [] : formulas.map(\.name))
    guard let name = shownFormula?.name ?? shown?.line.name, let place = names.firstIndex(of: name) else { return }
    picked = names[(place + step + names.count) % names.count]
  }

  /// The names of the counters whose sums of the last hour are shown; `nil` for all.
  var names: [String]? { watchesAll ? nil : counters.map(\.line.name) }

  /// Whether a stopwatch is running, so that the display changes with time.
  var isRunning: Bool { counters.contains { $0.line.isRunning } }

  /// Whether formulas are shown, which may change with time: by rates, and by stopwatches that are not shown.
  var hasFormulas: Bool { !formulas.isEmpty }

  /// Applies a reply of the stream.
  ///
  /// - Parameters:
  ///   - origin: the event that an undo or a redo in the reply concerns, if the reply does not state it.
  ///   - now: the time in nanoseconds on a monotonic clock.
  mutating func take(_ reply: Counters.WatchReply, origin: Counters.Event? = nil, at now: Int64) {
    if let counters = reply.state {
      if !watchesAll { watched = Set(counters.compactMap(\.id) + reply.formulas.compactMap(\.id)) }
      set(counters, reply.formulas, at: now)
      missing = .definitions
    } else {
      for formula in reply.formulas { update(formula) }
    }
    if let event = reply.event {
      take(event, origin, reply.counter, at: now)
    } else if reply.counter != nil {
      missing = .definitions
    }
    if let current = reply.current {
      for index in counters.indices { counters[index].line.counter[.current] = counters[index].line.name == current }
    }
  }

  private mutating func take(
    _ event: Counters.Event, _ origin: Counters.Event?, _ counter: Counters.Counter?, at now: Int64
  ) {
    let line = counter.map(CounterLine.init)
    var newest = EventLine(event, of: line)
    newest.origin = origin ?? events.first { $0.sequence == event.undoes && $0.undoes == nil }?.event
    events = Array(([newest] + events).prefix(Self.eventsShown.most))
    flashed = (event.counter, now)
    if let line {
      changed.removeAll { $0 == line.name }
      changed.insert(line.name, at: 0)
      changed = Array(changed.prefix(Self.changesKept))
    }
    let place = counters.firstIndex { $0.line.name == line?.name }
    if let line, let place { counters[place] = (line, now) }
    if place == nil || !event.alterations.isEmpty { missing = .definitions }
    if missing == .nothing { missing = .lastHour }
  }

  private mutating func update(_ formula: Counters.Formula) {
    if let place = formulas.firstIndex(where: { $0.id == formula.id }) {
      formulas[place] = formula
    } else {
      missing = .definitions
    }
  }

  private mutating func set(_ counters: [Counters.Counter], _ formulas: [Counters.Formula], at now: Int64) {
    self.counters = counters.map { (CounterLine($0), now) }
    self.formulas = formulas
  }

  /// Sets the missing definitions. Afterwards the sums of the last hour are missing.
  mutating func set(_ list: Counters.ListReply, _ groups: [Counters.Group], at now: Int64) {
    func isShown(_ id: Int64?) -> Bool { watched.map { id.map($0.contains) ?? false } ?? true }
    set(list.counters.filter { isShown($0.id) }, list.formulas.filter { isShown($0.id) }, at: now)
    self.groups = groups
    missing = .lastHour
  }

  /// Sets new values of the formulas on display.
  ///
  /// - Returns: whether one has changed.
  mutating func refresh(_ list: Counters.ListReply) -> Bool {
    let former = formulas.map(\.text)
    for formula in list.formulas where formulas.contains(where: { $0.id == formula.id }) { update(formula) }
    return formulas.map(\.text) != former
  }

  /// Sets the missing sums of the last hour.
  mutating func set(lastHour: [String: Int64]) {
    self.lastHour = lastHour
    if missing == .lastHour { missing = .nothing }
  }

  /// Ends a flash at the end of its duration.
  ///
  /// - Returns: whether a flash ended.
  mutating func endFlash(at now: Int64) -> Bool {
    guard let flashed, now - flashed.at > Self.flash else { return false }
    self.flashed = nil
    return true
  }

  /// The lines of the display, at most `rows`.
  ///
  /// - Parameter canScroll: whether ``scroll(_:columns:rows:)`` is called for keys.
  func lines(columns: Int, rows: Int, at now: Int64, canScroll: Bool = false) -> [String] {
    if isBig { return bigLines(columns: columns, rows: rows, at: now) }
    var lines = values(columns: columns, at: now)
    if lines.isEmpty { lines = ["There is no counter yet; the first gesture creates one."] }
    // Lines beyond the screen would scroll, and could not be overwritten.
    let room = Self.room(rows)
    if lines.count > room, room == 1 {
      // A remark would need a second line.
      lines = [alone(columns: columns, at: now, lines)]
    } else if lines.count > room {
      let all = lines.count
      switch position {
      case .newest:
        lines =
          values(columns: columns, at: now, first: changed).prefix(room - 1)
          + ["… and \(all - room + 1) lines more" + (canScroll ? ": the down arrow and Page Down scroll, q quits" : "")]
      case .line(let wanted):
        let first = max(0, min(wanted, all - room + 1))
        let last = min(all, first + room - 1)
        lines = lines[first..<last] + ["lines \(first + 1) to \(last) of \(all); Home: the last changes first"]
      }
      lines[lines.count - 1] = Output.styled(lines[lines.count - 1].clipped(to: columns), .faint)
    }
    if rows > 2 { lines.append("") }
    // The cursor stands below all lines.
    let left = max(0, rows - 1 - lines.count - (notice == nil ? 0 : 1))
    lines += events.prefix(left).map { $0.text(withDay: false, width: columns) }
    return lines + (notice.map { [Output.styled($0.clipped(to: columns), .bold)] } ?? [])
  }

  /// The line to show if there is room for a single one.
  private func alone(columns: Int, at now: Int64, _ lines: [String]) -> String {
    if case .line(let wanted) = position { return lines[min(wanted, lines.count - 1)] }
    return values(columns: columns, at: now, first: changed).first ?? lines[0]
  }

  /// The number of lines for counters and formulas.
  private static func room(_ rows: Int) -> Int { max(1, rows - eventsShown.least - 2) }

  /// The lines of counters and formulas.
  ///
  /// - Parameter first: the names of counters to show before the others.
  private func values(columns: Int, at now: Int64, first: [String] = []) -> [String] {
    let shown = counters.filter { !$0.line.isArchived }.map { line, repliedAt in
      var line = line
      line.advance = max(0, now - repliedAt) / 1000
      return line
    }
    let formulas = formulas.map(FormulaLine.init).filter { !$0.isArchived }
    guard !shown.isEmpty else { return FormulaLine.table(formulas, width: columns) }
    var overview = Overview(shown, groups: groups, lastHour: lastHour, width: columns)
    overview.flashed = flashed?.name
    overview.first = first
    overview.formulas = formulas
    return overview.lines() + FormulaLine.section(overview.otherFormulas, width: columns)
  }

  /// Scrolls, if not all lines fit.
  mutating func scroll(_ key: TerminalKey, columns: Int, rows: Int) {
    let (all, room) = (values(columns: columns, at: 0).count, Self.room(rows))
    guard all > room else {
      position = .newest
      return
    }
    let last = room == 1 ? all - 1 : all - room + 1
    let line = if case .line(let line) = position { min(line, last) } else { 0 }
    switch key {
    case .up, .letter("k"): position = .line(max(0, line - 1))
    case .down, .letter("j"), .enter: position = .line(min(last, position == .newest ? 0 : line + 1))
    case .pageUp, .letter("b"): position = .line(max(0, line - max(1, room - 1)))
    case .pageDown, .letter(" "): position = .line(min(last, line + max(1, room - 1)))
    case .end, .letter("G"): position = .line(last)
    case .home, .letter("g"): position = .newest
    default: break
    }
  }
}
