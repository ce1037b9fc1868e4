import Counting
import Varlink

/// All groups and counters at a glance, as wide as the terminal allows.
struct Overview {
  struct Row {
    let counter: CounterLine
    /// What was counted in the last hour.
    let perHour: Int64?
  }

  let rows: [Row]
  /// The groups in order, each with its title and colour.
  let groups: [(name: String, title: String, colour: String?)]
  let width: Int
  /// The counter that changed just now.
  var flashed: String?

  func lines() -> [String] {
    let ungrouped = rows.filter { $0.counter.group == nil }
    var lines = ungrouped.map(line)
    for group in groups {
      let members = rows.filter { $0.counter.group == group.name }
      guard !members.isEmpty else { continue }
      if !lines.isEmpty { lines.append("") }
      lines.append(heading(group.title, group.colour, members))
      lines += members.map(line)
    }
    return lines
  }

  /// The group's title, and the sum where its counters have one.
  private func heading(_ title: String, _ colour: String?, _ members: [Row]) -> String {
    let title = title.printable.clipped(to: width - 2)
    var line = Output.styled(title, .bold, colour: colour)
    if members.count > 1, let (unit, number) = Unit.sum(members.map { ($0.counter.unit, $0.counter.shown) }) {
      let sum = "Σ " + ValueText(unit: unit).text(number)
      if title.columns + sum.columns + 2 <= width { line += "  " + Output.styled(sum, .faint) }
    }
    return line
  }

  // MARK: Columns

  private var hasIcons: Bool { rows.contains { !$0.counter.icon.isEmpty } }
  /// What names should at least have; whatever else there is makes room for them.
  private static let usefulName = 16
  private var iconWidth: Int { hasIcons ? (rows.map(\.counter.icon.columns).max() ?? 0) + 1 : 0 }
  private var valueWidth: Int { rows.map(\.counter.text.columns).max() ?? 0 }
  private var hasBars: Bool { width >= 56 && rows.contains { $0.counter.percent != nil } }
  private var hasTitles: Bool { width >= 60 && rows.contains { $0.counter.title != $0.counter.name } }
  private var rateWidth: Int {
    let longest = rows.map { rate($0).columns }.max() ?? 0
    let room = width - 2 - iconWidth - valueWidth - 2 - goalWidth - min(longestName, Self.usefulName)
    return longest > 0 && longest + 2 <= room ? longest + 2 : 0
  }
  private var goalWidth: Int {
    guard rows.contains(where: { $0.counter.percent != nil }), !hasBars else { return hasBars ? barWidth + 8 : 0 }
    return width - 2 - iconWidth - valueWidth - 2 >= 7 + 6 ? 7 : 0
  }
  private var barWidth: Int { width >= 120 ? 20 : 10 }

  /// What is left for names and titles.
  private var textWidth: Int { max(6, width - 2 - iconWidth - valueWidth - 2 - goalWidth - rateWidth) }
  private var longestName: Int { rows.map(\.counter.name.columns).max() ?? 0 }
  private var longestTitle: Int {
    rows.map { $0.counter.title == $0.counter.name ? 0 : $0.counter.title.printable.columns }.max() ?? 0
  }

  /// Where not all of both fits, names and titles share what there is.
  private var nameWidth: Int {
    min(longestName, hasTitles ? max(textWidth - longestTitle - 2, textWidth / 2) : textWidth)
  }

  private var titleWidth: Int {
    guard hasTitles, textWidth - nameWidth - 2 > 4 else { return 0 }
    return min(longestTitle, textWidth - nameWidth - 2)
  }

  private func rate(_ row: Row) -> String {
    guard let rate = row.perHour, rate != 0 else { return "" }
    return row.counter.format.text(rate, signed: rate < 0) + "/h"
  }

  private func line(_ row: Row) -> String {
    let counter = row.counter
    var line = counter.isCurrent ? "▸ " : "  "
    if hasIcons { line += counter.icon.padded(to: iconWidth) + Output.column(2 + iconWidth) }
    let value = counter.text.padded(to: valueWidth, onLeft: true)
    line += Output.styled(value, counter.name == flashed ? .flash : .bold, colour: counter.colour) + "  "
    var name = counter.name.clipped(to: nameWidth).padded(to: nameWidth)
    if counter.isRunning { name = Output.styled(name, .up) }
    line += name
    if titleWidth > 0 {
      let title = counter.title == counter.name ? "" : counter.title.printable
      line += "  " + Output.styled(title.clipped(to: titleWidth).padded(to: titleWidth), .faint)
    }
    line += goal(counter) + (rateWidth > 0 ? Output.styled(rate(row).padded(to: rateWidth, onLeft: true), .faint) : "")
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
  /// Asks the core for all that is shown of `counters`.
  init(_ core: CoreClient, _ counters: [CounterLine], width: Int, now: Int64) throws {
    let hourAgo = now - 3_600_000_000
    rows = try counters.enumerated().map { index, counter in
      // So many fit onto no screen, and each is a question of its own.
      guard index < 200, !counter.isStopwatch else { return Row(counter: counter, perHour: nil) }
      let reply = try core.call(
        "Totals", ["counter": .string(counter.name), "bounds": [.int(hourAgo), .int(now + 1)]])
      let total = reply["totals"]?.array?.first?.object
      let net = (total?["added"]?.int ?? 0).subtractingReportingOverflow(total?["subtracted"]?.int ?? 0)
      return Row(counter: counter, perHour: net.partialValue)
    }
    groups = try Self.groups(core, counters)
    self.width = width
  }

  static func groups(_ core: CoreClient, _ counters: [CounterLine]) throws -> [(
    name: String, title: String, colour: String?
  )] {
    guard counters.contains(where: { $0.group != nil }) else { return [] }
    return (try core.call("Groups")["groups"]?.array ?? []).map { group in
      let group = group.object ?? [:]
      let name = group["name"]?.string ?? ""
      return (name, group["title"]?.string ?? name, group["colour"]?.string)
    }
  }
}

extension String {
  fileprivate var trimmingSpaces: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
