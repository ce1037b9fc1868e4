import CoreAPI
import Counting
import JSON
import Linux
import Reports
import Text

/// The card of one counter: its line of the overview, and every setting below it.
struct CounterCard {
  let counter: CounterLine
  /// The sums of the counts since the start of the day and of the week, which the counter's period determines, in the
  /// counter's unit; `nil` if unknown.
  var sums: (today: Int64, week: Int64, days: DayStart)?
  var width = Int.max

  func lines() -> [String] {
    let head = Overview(rows: [.init(counter: counter, lastHour: nil)], groups: [], width: width).lines()
    // A narrow terminal has no room for the title beside the name.
    let title = counter.title.printableLine
    let isShown = counter.title == counter.name || head.contains { $0.contains(title) }
    return head + Self.lines((isShown ? [] : [("title", title)]) + entries)
  }

  /// The lines of settings, with the labels in a separate column.
  static func lines(_ entries: [(label: String, text: String)]) -> [String] {
    let labelWidth = entries.map(\.label.columns).max() ?? 0
    return entries.map { label, text in
      "  " + Output.styled(label.padded(to: labelWidth), .faint) + "  " + text.printableLine
    }
  }

  private var entries: [(label: String, text: String)] {
    let format = counter.format
    func number(_ units: Int64?) -> String? { units.map { format.text($0) } }
    let rows: KeyValuePairs<String, String?> = [
      "counted": sums.map { sums in
        let start = sums.days.suffix.isEmpty ? "" : " (days begin\(sums.days.suffix.replacing(" from ", with: " at ")))"
        return "\(format.text(sums.today)) today, \(format.text(sums.week)) this week\(start)"
      },
      "here": counter.own.map { "\(format.text($0)) of them" },
      "step": number(counter.step).map { $0 + (number(counter.stepDown).map { ", down \($0)" } ?? "") },
      "start": number(counter.start),
      "limits": limits,
      "goal": goal,
      "every": number(counter.every),
    ]
    let ends: KeyValuePairs<String, String?> = [
      "period": period,
      "since": counter.since.map(LocalTime.minute),
      "group": counter.group,
      "colour": counter.colour,
      "icon": counter.icon.printableIcon,
      "tags": counter.tags.isEmpty ? nil : counter.tags.joined(separator: ", "),
      "note": counter.note,
    ]
    return (Array(rows) + further + Array(ends)).compactMap { label, text in
      text.flatMap { $0.isEmpty ? nil : (label, $0) }
    }
  }

  /// The settings that are shown as they are, and have no words of their own here.
  private var further: [(String, String?)] {
    Counters.Counter.Member.plain.filter { ![.stepDown, .minimum, .maximum, .target, .every].contains($0.0) }.map {
      let text: String? =
        switch counter.counter.object[$1] {
        case .int(let number): counter.format.text(number)
        case .string(let text): text
        case .bool(true): "yes"
        case .array(let words): words.compactMap(\.string).joined(separator: ", ")
        default: nil
        }
      return ($0.option, text)
    }
  }

  private var limits: String? {
    let format = counter.format
    let range: String
    switch (counter.minimum, counter.maximum) {
    case (nil, nil): return nil
    case (let minimum?, nil): range = "at least \(format.text(minimum))"
    case (nil, let maximum?): range = "at most \(format.text(maximum))"
    case (let minimum?, let maximum?): range = "\(format.text(minimum)) to \(format.text(maximum))"
    }
    return range + (counter.limits == Counter.Limits.stop.rawValue ? ", stops there" : ", refuses more")
  }

  private var goal: String? {
    guard let target = counter.target else { return nil }
    var text = counter.format.text(target)
    if let share = counter.share { text += ", \(share) done" }
    if let left = counter.progress?.left, left > 0 { text += ", \(counter.format.text(left)) left" }
    if let reached = counter.reachedAt { text += ", reached \(LocalTime.minute(reached))" }
    return text
  }

  private var period: String? {
    guard let period = counter.period else { return nil }
    return period + (counter.renewsAt.map { ", ends \(LocalTime.minute($0))" } ?? "")
  }

  /// Fetches the sums from the core.
  static func sums(
    _ core: CoreClient, of counter: CounterLine, now: Int64
  ) throws -> (today: Int64, week: Int64, days: DayStart)? {
    let days = DayStart(of: [counter.period])
    let zone = days.zone
    func start(_ unit: TimeUnit) -> Int64 {
      unit.boundary(atOrBefore: now.seconds, in: zone, days: days) * 1_000_000
    }
    let (today, week) = (start(.day), start(.week))
    let bounds = today == week ? [today, now + 1] : [week, today, now + 1]
    let totals = try core.call(.totals(counters: [counter.name], bounds: bounds)).totals.map(\.net)
    guard let last = totals.last else { return nil }
    return (last, totals.reduce(0) { $0.addingReportingOverflow($1).partialValue }, days)
  }
}
