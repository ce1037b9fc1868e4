import CoreAPI
import Counting
import Linux
import Reports
import Text

/// A list of all groups and counters, fitted to the width of the terminal.
struct Overview {
  struct Row {
    let counter: CounterLine
    /// The sum of the counts of the last hour.
    let lastHour: Int64?

    /// The sum as text.
    fileprivate var sum: String {
      guard let lastHour, lastHour != 0 else { return "" }
      return counter.format.text(lastHour, signed: lastHour < 0) + " in the last hour"
    }
  }

  let rows: [Row]
  let groups: [Counters.Group]
  let width: Int
  /// The name of the counter that changed just now.
  var flashed: String?
  /// The formulas, which are shown below the counters of their group.
  var formulas: [FormulaLine] = []

  /// The formulas that belong to none of ``groups``.
  var otherFormulas: [FormulaLine] {
    let known = Set(groups.map(\.name))
    return formulas.filter { !($0.group.map(known.contains) ?? false) }
  }
  /// The names of counters to show before all others, without the headings of their groups.
  var first: [String] = []

  func lines() -> [String] {
    let columns = Columns(rows, width: width)
    func line(_ row: Row) -> String { self.line(row, columns) }
    let places = Dictionary(self.rows.map { ($0.counter.name, $0) }) { first, _ in first }
    let names = Set(first)
    let rows = first.isEmpty ? self.rows : self.rows.filter { !names.contains($0.counter.name) }
    let members = Dictionary(grouping: rows) { $0.counter.group }
    let formulas = Dictionary(grouping: formulas, by: \.group)
    // A group may be unknown here, such as the group of the only counter to show.
    let known = Set(groups.map(\.name))
    let ungrouped = rows.filter { !($0.counter.group.map(known.contains) ?? false) }
    var lines = (first.compactMap { places[$0] } + ungrouped).map(line)
    for group in groups {
      let (members, formulas) = (members[group.name] ?? [], formulas[group.name] ?? [])
      guard !members.isEmpty || !formulas.isEmpty else { continue }
      if !lines.isEmpty { lines.append("") }
      lines.append(heading(group, members))
      lines += members.map(line) + FormulaLine.table(formulas, width: width)
    }
    return lines
  }

  /// The title of a group, with the sum if there is one.
  private func heading(_ group: Counters.Group, _ members: [Row]) -> String {
    let icon = group.icon.map { $0.printableIcon + " " } ?? ""
    let title = (icon + group.title.printableLine).clipped(to: width - 2)
    var line = Output.styled(title, .bold, colour: group.colour)
    if members.count > 1, let (unit, number) = Unit.sum(members.map { ($0.counter.unit, $0.counter.shown) }) {
      let sum = "Σ " + ValueText(unit: unit).text(number)
      if title.columns + sum.columns + 2 <= width { line += "  " + Output.styled(sum, .faint) }
    }
    return line
  }

  // MARK: Columns

  /// The widths of the columns, which depend on all rows and are the same for each.
  private struct Columns {
    /// The minimum width of names; other columns are dropped for it.
    private static let usefulName = 16

    /// The width of icons; 0 without icons.
    let icon: Int
    let value: Int
    let name: Int
    /// The width of titles; 0 without titles.
    let title: Int
    /// The width of goals; 0 without goals.
    let goal: Int
    /// The width of bars; 0 without bars.
    let bar: Int
    /// The width of the last hour's sums; 0 without sums.
    let lastHour: Int

    init(_ rows: [Row], width: Int) {
      let counters = rows.map(\.counter)
      func widest(_ width: (CounterLine) -> Int) -> Int { counters.lazy.map(width).max() ?? 0 }
      let titles = width >= 60 ? widest { $0.title == $0.name ? 0 : $0.title.printableLine.columns } : 0
      let names = widest { $0.label.columns }
      let sums = rows.lazy.map { $0.sum.columns }.max() ?? 0
      let icons = widest { $0.icon.columns }
      let hasGoals = counters.contains { $0.percent != nil }
      icon = icons > 0 ? icons + 1 : 0
      value = widest { $0.count.columns }
      bar = hasGoals && width >= 56 ? width >= 120 ? 20 : 10 : 0
      var room = width - 2 - icon - value - 2
      goal = bar > 0 ? bar + 8 : hasGoals && room >= 7 + 6 ? 7 : 0
      room -= goal
      lastHour = sums > 0 && sums + 2 <= room - min(names, Self.usefulName) ? sums + 2 : 0
      // If names and titles do not both fit, they share the width.
      room = max(6, room - lastHour)
      name = min(names, titles > 0 ? max(room - titles - 2, room / 2) : room)
      title = room - name - 2 > 4 ? min(titles, room - name - 2) : 0
    }
  }

  private func line(_ row: Row, _ columns: Columns) -> String {
    let counter = row.counter
    var line = counter.isCurrent ? "▸ " : "  "
    if columns.icon > 0 { line += counter.icon.padded(to: columns.icon) + Output.column(2 + columns.icon) }
    let value = counter.count.padded(to: columns.value, onLeft: true)
    line += Output.styled(value, counter.name == flashed ? .flash : .bold, colour: counter.colour) + "  "
    var name = counter.label.clipped(to: columns.name).padded(to: columns.name)
    if counter.isRunning { name = Output.styled(name, .up) }
    line += name
    if columns.title > 0 {
      let title = counter.title == counter.name ? "" : counter.title.printableLine
      line += "  " + Output.styled(title.clipped(to: columns.title).padded(to: columns.title), .faint)
    }
    line += goal(counter, columns)
    if columns.lastHour > 0 { line += Output.styled(row.sum.padded(to: columns.lastHour, onLeft: true), .faint) }
    return String(line.reversed().drop { $0 == " " }.reversed())
  }

  private func goal(_ counter: CounterLine, _ columns: Columns) -> String {
    guard columns.goal > 0 else { return "" }
    guard let percent = counter.percent else { return String(repeating: " ", count: columns.goal) }
    let text = (counter.share ?? "").padded(to: 6, onLeft: true)
    guard columns.bar > 0 else { return " " + text }
    let filled = Int(max(0, min(100, percent))) * columns.bar / 100
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: columns.bar - filled)
    return "  " + Output.styled(bar, percent >= 100 ? .up : .plain, colour: counter.colour) + text
  }
}

extension Overview {
  /// - Parameter lastHour: ``lastHour(_:_:now:)``.
  init(_ counters: [CounterLine], groups: [Counters.Group], lastHour: [String: Int64], width: Int) {
    rows = counters.map { Row(counter: $0, lastHour: $0.isStopwatch ? nil : lastHour[$0.name]) }
    self.groups = groups
    self.width = width
  }

  /// The sum of each counter's counts in the last hour, by name, in the counter's unit; without counters that were only
  /// counted in the last ten minutes. Empty for more counters than the core sums in one reply.
  ///
  /// - Parameter names: `nil` for all counters.
  static func lastHour(_ core: CoreClient, _ names: [String]?, now: Int64) throws -> [String: Int64] {
    let bounds = [now - 3_600_000_000, now - 600_000_000, now + 1]
    let found = try core.callIfAccepted(.totals(counters: names, bounds: bounds, each: true))?.counters ?? []
    let sums = found.compactMap { counter in sum(counter.totals).map { (counter.name, $0) } }
    return Dictionary(sums) { first, _ in first }
  }

  /// - Parameter parts: the totals of the hour without its last ten minutes, then the totals of the last ten minutes.
  static func sum(_ parts: [Counters.Total]) -> Int64? {
    guard let early = parts.first, early.counts > 0 else { return nil }
    return Int64(clamping: parts.reduce(Int128(0)) { $0 + Int128($1.net) })
  }

  /// The groups in order, if one of the counters or formulas is in a group.
  static func groups(
    _ core: CoreClient, of counters: [CounterLine], _ formulas: [FormulaLine] = []
  ) throws -> [Counters.Group] {
    counters.contains { $0.group != nil } || formulas.contains { $0.group != nil } ? try core.call(.groups).groups : []
  }
}
