import CountersAPI
import Counting
import Platform
import Plots

/// A list of all groups and counters, fitted to the width of the terminal.
struct Overview {
  struct Row {
    let counter: CounterLine
    /// The sum of the counts of the last hour.
    let lastHour: Int64?
  }

  let rows: [Row]
  /// The groups in order.
  let groups: [Counters.Group]
  let width: Int
  /// The name of the counter that changed just now.
  var flashed: String?
  /// The formulas, which are shown below the counters of their group.
  var formulas: [FormulaLine] = []

  /// The formulas that belong to none of ``groups``.
  var otherFormulas: [FormulaLine] {
    formulas.filter { formula in !groups.contains { $0.name == formula.group } }
  }
  /// The names of counters to show before all others, without the headings of their groups.
  var first: [String] = []

  func lines() -> [String] {
    let before = first.compactMap { name in self.rows.first { $0.counter.name == name } }
    let names = Set(first)
    let rows = first.isEmpty ? self.rows : self.rows.filter { !names.contains($0.counter.name) }
    // A group may be unknown here, such as that of the only counter to show.
    let known = Set(groups.map(\.name))
    let ungrouped = rows.filter { !($0.counter.group.map(known.contains) ?? false) }
    var lines = (before + ungrouped).map(line)
    for group in groups {
      let members = rows.filter { $0.counter.group == group.name }
      let formulas = formulas.filter { $0.group == group.name }
      guard !members.isEmpty || !formulas.isEmpty else { continue }
      if !lines.isEmpty { lines.append("") }
      lines.append(heading(group, members))
      lines += members.map(line) + FormulaLine.table(formulas, width: width)
    }
    return lines
  }

  /// The title of a group, with the sum if there is one.
  private func heading(_ group: Counters.Group, _ members: [Row]) -> String {
    let icon = group.icon.map { $0.printableLine + " " } ?? ""
    let title = (icon + group.title.printableLine).clipped(to: width - 2)
    var line = Output.styled(title, .bold, colour: group.colour)
    if members.count > 1, let (unit, number) = Unit.sum(members.map { ($0.counter.unit, $0.counter.shown) }) {
      let sum = "Σ " + ValueText(unit: unit).text(number)
      if title.columns + sum.columns + 2 <= width { line += "  " + Output.styled(sum, .faint) }
    }
    return line
  }

  // MARK: Columns

  private var hasIcons: Bool { rows.contains { !$0.counter.icon.isEmpty } }
  /// The minimum width of names; other columns are dropped for it.
  private static let usefulName = 16
  private var iconWidth: Int { hasIcons ? (rows.map(\.counter.icon.columns).max() ?? 0) + 1 : 0 }
  private var valueWidth: Int { rows.map(\.counter.count.columns).max() ?? 0 }
  private var hasBars: Bool { width >= 56 && rows.contains { $0.counter.percent != nil } }
  private var hasTitles: Bool { width >= 60 && rows.contains { $0.counter.title != $0.counter.name } }
  private var lastHourWidth: Int {
    let longest = rows.map { lastHour($0).columns }.max() ?? 0
    let room = width - 2 - iconWidth - valueWidth - 2 - goalWidth - min(longestName, Self.usefulName)
    return longest > 0 && longest + 2 <= room ? longest + 2 : 0
  }
  private var goalWidth: Int {
    guard rows.contains(where: { $0.counter.percent != nil }), !hasBars else { return hasBars ? barWidth + 8 : 0 }
    return width - 2 - iconWidth - valueWidth - 2 >= 7 + 6 ? 7 : 0
  }
  private var barWidth: Int { width >= 120 ? 20 : 10 }

  /// The width left for names and titles.
  private var textWidth: Int { max(6, width - 2 - iconWidth - valueWidth - 2 - goalWidth - lastHourWidth) }
  private var longestName: Int { rows.map(\.counter.label.columns).max() ?? 0 }
  private var longestTitle: Int {
    rows.map { $0.counter.title == $0.counter.name ? 0 : $0.counter.title.printableLine.columns }.max() ?? 0
  }

  /// If both do not fit, names and titles share the width.
  private var nameWidth: Int {
    min(longestName, hasTitles ? max(textWidth - longestTitle - 2, textWidth / 2) : textWidth)
  }

  private var titleWidth: Int {
    guard hasTitles, textWidth - nameWidth - 2 > 4 else { return 0 }
    return min(longestTitle, textWidth - nameWidth - 2)
  }

  private func lastHour(_ row: Row) -> String {
    guard let sum = row.lastHour, sum != 0 else { return "" }
    return row.counter.format.text(sum, signed: sum < 0) + " in the last hour"
  }

  private func line(_ row: Row) -> String {
    let counter = row.counter
    var line = counter.isCurrent ? "▸ " : "  "
    if hasIcons { line += counter.icon.padded(to: iconWidth) + Output.column(2 + iconWidth) }
    let value = counter.count.padded(to: valueWidth, onLeft: true)
    line += Output.styled(value, counter.name == flashed ? .flash : .bold, colour: counter.colour) + "  "
    var name = counter.label.clipped(to: nameWidth).padded(to: nameWidth)
    if counter.isRunning { name = Output.styled(name, .up) }
    line += name
    if titleWidth > 0 {
      let title = counter.title == counter.name ? "" : counter.title.printableLine
      line += "  " + Output.styled(title.clipped(to: titleWidth).padded(to: titleWidth), .faint)
    }
    line += goal(counter)
    if lastHourWidth > 0 { line += Output.styled(lastHour(row).padded(to: lastHourWidth, onLeft: true), .faint) }
    return line.trimmingSpaces
  }

  private func goal(_ counter: CounterLine) -> String {
    guard goalWidth > 0 else { return "" }
    guard let percent = counter.percent else { return String(repeating: " ", count: goalWidth) }
    let text = "\(max(-999, min(percent, 9999))) %".padded(to: 6, onLeft: true)
    guard hasBars else { return " " + text }
    let filled = Int(max(0, min(100, percent))) * barWidth / 100
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: barWidth - filled)
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

  /// The sum of each counter's counts in the last hour, by name, in the counter's unit; without the counters that were
  /// counted in its last ten minutes only. Empty from an older core, and for more counters than the core sums in one reply.
  ///
  /// - Parameter names: `nil` for all counters.
  static func lastHour(_ core: CoreClient, _ names: [String]?, now: Int64) throws -> [String: Int64] {
    let bounds = [now - 3_600_000_000, now - 600_000_000, now + 1]
    let found = try core.callIfAccepted(.totals(counters: names, bounds: bounds, each: true))?.counters ?? []
    let sums = found.compactMap { counter in sum(counter.totals).map { (counter.name, $0) } }
    return Dictionary(sums) { first, _ in first }
  }

  /// - Parameter parts: the totals of the hour without its last ten minutes, and those of the last ten minutes.
  static func sum(_ parts: [Counters.Total]) -> Int64? {
    guard let early = parts.first, early.counts > 0 else { return nil }
    return parts.reduce(0) { $0.addingReportingOverflow($1.net).partialValue }
  }

  /// The groups in order, if one of the counters or formulas is in a group.
  static func groups(
    _ core: CoreClient, of counters: [CounterLine], _ formulas: [FormulaLine] = []
  ) throws -> [Counters.Group] {
    counters.contains { $0.group != nil } || formulas.contains { $0.group != nil } ? try core.call(.groups).groups : []
  }
}

extension String {
  fileprivate var trimmingSpaces: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
