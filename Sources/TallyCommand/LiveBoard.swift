import Platform
import Varlink

/// The counters on a terminal, drawn again in place as they change.
final class LiveBoard {
  /// For what the stream of changes does not tell.
  private let core: CoreClient
  private var names: [String] = []
  private var counters: [String: CounterLine] = [:]
  /// What happened last, newest first.
  private var events: [EventLine] = []
  private var flashed: (name: String, at: Int64)?
  private var drawn: (lines: Int, at: Int64, size: (columns: Int, rows: Int))?
  private var isStale = false

  /// The counters that are watched; none for all.
  private let watched: Set<String>

  init(_ core: CoreClient, watching names: [String]) {
    self.core = core
    watched = Set(names)
  }

  /// How many events stand below the counters: so many always, and as many where there is room.
  private static let eventsShown = (least: 3, most: 10)

  func take(_ reply: JSONObject) {
    if let event = reply["event"]?.object {
      let counter = reply["counter"]?.object.map(CounterLine.init)
      let line = EventLine(event, of: counter)
      events = Array(([line] + events).prefix(Self.eventsShown.most))
      flashed = (line.name, Clock.boottime())
      if let counter, counters[counter.name] != nil { counters[counter.name] = counter } else { askAgain() }
      if let current = reply["current"]?.string { setCurrent(current) }
    } else if reply["counters"] != nil {
      set(CounterLine.all(of: reply))
    }
    isStale = true
    // A burst is drawn at the pace of eyes.
    if Clock.boottime() - (drawn?.at ?? 0) > 40_000_000 { draw() }
  }

  /// Nothing has happened for a moment: what flashed comes to rest, and stopwatches go on.
  func rest() {
    if let flash = flashed, Clock.boottime() - flash.at > 400_000_000 { (flashed, isStale) = (nil, true) }
    let size = Terminal.size
    let isResized = drawn.map { $0.size != size } ?? false
    if counters.values.contains(where: \.isRunning) || isResized { isStale = true }
    if isStale { draw() }
  }

  private func set(_ all: [CounterLine]) {
    names = all.map(\.name)
    counters = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
  }

  /// Something came, went, or was renamed; which are watched at all only the core knows.
  private func askAgain() {
    guard let reply = try? core.call("List") else { return }
    set(CounterLine.all(of: reply).filter { watched.isEmpty || watched.contains($0.name) })
  }

  private func setCurrent(_ name: String) {
    for (key, counter) in counters where counter.isCurrent != (key == name) {
      var object = counter.object
      object["current"] = .bool(key == name)
      counters[key] = CounterLine(object)
    }
  }

  private func draw() {
    let size = Terminal.size
    let shown = names.compactMap { counters[$0] }.filter { !$0.isArchived }
    var lines = ["There is no counter yet; the first gesture makes one."]
    if !shown.isEmpty,
      var overview = try? Overview(core, shown, width: size.columns, now: Clock.microsecondsSince1970())
    {
      overview.flashed = flashed?.name
      lines = overview.lines()
      // The stream tells of those that changed; all of them are few.
      if watched.isEmpty, let reply = try? core.call("List") {
        lines += FormulaLine.section(FormulaLine.all(of: reply), width: size.columns)
      }
    }
    // What does not fit would scroll, and could not be drawn over.
    let room = max(1, size.rows - Self.eventsShown.least - 2)
    if lines.count > room { lines = lines.prefix(room - 1) + ["… and \(lines.count - room + 1) lines more"] }
    lines.append("")
    let left = max(Self.eventsShown.least, size.rows - 1 - lines.count)
    lines += events.prefix(left).map { $0.text(withDay: false, width: size.columns) }
    Output.redraw(lines, over: drawn?.lines ?? 0)
    drawn = (lines.count, Clock.boottime(), size)
    isStale = false
  }
}
