import Calendars
import CoreAPI
import Counting
import Linux
import Reports
import Text

/// The values of a formula at the ends of hours or other steps, for tables and charts.
struct FormulaSeries {
  struct Point {
    /// The start of the step.
    let start: Int64
    /// The exact value at the end of the step, or of the sums of the step, as a decimal number; `nil` if the formula had
    /// none.
    let value: String?
    /// The value in the format of the formula.
    let text: String?
    /// The value in the unit of ``format``; `nil` if the formula had none, or one that does not fit.
    let units: Int64?
    /// The difference to the value at the end of the previous step.
    let change: Int64?
  }

  /// The steps; their sums are the values.
  let frame: CountSeries
  let points: [Point]
  let format: ValueText
  /// The values in a sentence: `at the end of each hour`. Counters with a period that is shorter than a step have sums.
  let moments: String

  /// The value of a formula in the unit of a format: 0.375 is 375 of 1/1000 as a number, and of 1/10 of a percent.
  static func units(_ value: String, _ display: String) -> Int64? {
    let places = display == "duration" ? 6 : 3
    let isNegative = value.hasPrefix("-")
    let parts = value.drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
    guard let whole = parts.first, !whole.isEmpty, parts.count <= 2 else { return nil }
    let fraction = parts.dropFirst().first ?? ""
    let digits = whole + fraction.prefix(places) + String(repeating: "0", count: max(0, places - fraction.count))
    guard let truncated = Int64(digits) else { return nil }
    let isUp = fraction.dropFirst(places).first.map { $0 >= "5" } ?? false
    let (units, overflow) = truncated.addingReportingOverflow(isUp ? 1 : 0)
    return overflow ? nil : isNegative ? -units : units
  }

  /// The format of the numbers in ``units(_:_:)``.
  static func format(_ display: String) -> ValueText {
    switch display {
    case "percent": ValueText(unit: .decimal(1), suffix: " %")
    case "duration": ValueText(unit: .time)
    default: ValueText(unit: .decimal(3))
    }
  }

  /// The series for a chart. A step in which the formula had no value is unknown.
  var series: CountSeries {
    let steps = points.map { point in
      CountSeries.Step(
        start: point.start, counts: 0, added: point.units ?? 0, subtracted: 0, isKnown: point.units != nil)
    }
    return CountSeries(
      unit: frame.unit, steps: steps, end: frame.end, zone: frame.zone, days: frame.days, format: format)
  }
}

extension FormulaSeries {
  /// Fetches the values from the core.
  ///
  /// - Parameters:
  ///   - unit: the size of the steps; default: the smallest with at most `most` steps since the first count.
  ///   - most: the maximum number of steps.
  init(
    _ core: CoreClient, _ formula: Counters.Formula, _ unit: TimeUnit?, _ span: (from: Int64?, until: Int64?), most: Int
  ) throws {
    let counters = try core.call(.list).counters(behind: formula).map(\.name)
    frame = try CountSeries(core, counters.isEmpty ? nil : counters, unit, span, most: most)
    format = Self.format(formula.display)
    let ends = frame.steps.dropFirst().map(\.start) + [frame.end]
    let now = Clock.microsecondsSince1970()
    var isSummed = false
    func past(_ end: Int64, from start: Int64?) throws -> Counters.PastFormula? {
      let reply = try core.call(.past(counters: [formula.name], time: min(end - 1, now), from: start))
      if reply.isSummed { isSummed = true }
      return reply.formulas.first
    }
    let first = frame.steps.first?.start
    var before = try first.flatMap { try past($0, from: nil)?.value }
      .flatMap { Self.units($0, formula.display) }
    points = try zip(frame.steps, ends).map { step, end in
      let found = try past(end, from: step.start)
      if isSummed, step.start == first { before = nil }
      let units = found?.value.flatMap { Self.units($0, formula.display) }
      let change = before.flatMap { before in units.map { $0.subtractingReportingOverflow(before).partialValue } }
      before = units
      return Point(start: step.start, value: found?.value, text: found?.text, units: units, change: change)
    }
    moments = "\(isSummed ? "of the sums" : "at the end") of \(frame.unit.each)"
  }

  /// The points, from the first one with a value other than 0; at least the last point.
  var shown: [Point] {
    let first = points.firstIndex { $0.units ?? 0 != 0 || $0.units == nil && $0.value != nil } ?? points.count - 1
    return Array(points.dropFirst(max(0, first)))
  }

  /// A change with its sign, without trailing zeros, like the values.
  private func signed(_ change: Int64) -> String {
    guard format.unit == .decimal(3) else { return format.text(change, signed: true) }
    return (change > 0 ? "+" : "") + ValueText.localised(format.plain(change).withoutTrailingZeros)
  }

  /// The lines of a table: the value at the end of each step, and its change.
  func table() -> [String] {
    let labels = shown.map { frame.unit.label($0.start, in: frame.zone, days: frame.days) }
    let values = shown.map { $0.text.map(ValueText.localised) ?? FormulaLine.noValue }
    let changes = shown.map { point in
      point.change.map { $0 == 0 ? "" : signed($0) } ?? ""
    }
    let (labelWidth, valueWidth) = (labels.map(\.columns).max() ?? 0, values.map(\.columns).max() ?? 0)
    let changeWidth = changes.map(\.columns).max() ?? 0
    return zip(labels, zip(values, changes)).map { label, texts in
      let line =
        label.padded(to: labelWidth) + "  "
        + Output.styled(texts.0.padded(to: valueWidth, onLeft: true), .bold)
      return texts.1.isEmpty ? line : line + "  " + texts.1.padded(to: changeWidth, onLeft: true)
    }
  }
}

extension Counters.ListReply {
  /// The counters on which a formula depends, also by other formulas and by groups.
  func counters(behind formula: Counters.Formula) -> [Counters.Counter] {
    var (names, groups, waiting) = (Set<String>(), Set<String>(), [formula])
    while let next = waiting.popLast() {
      for (kind, reference) in (try? FormulaText(next.formula))?.expression.references ?? [] {
        if kind == .group {
          groups.insert(reference.name)
        } else if names.insert(reference.name).inserted {
          waiting += formulas.filter { $0.name == reference.name }
        }
      }
    }
    return counters.filter { names.contains($0.name) || !$0.isArchived && $0.group.map(groups.contains) ?? false }
  }
}
