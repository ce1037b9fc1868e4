import CoreAPI
import Counting
import JSON

/// A setting of a counter, or of a formula, as a column in the table of values that tally writes. The raw value is the
/// header. A table has the columns of the settings that any of its entries has.
enum SettingColumn: String, CaseIterable {
  case start, step
  case stepDown = "step-down"
  case minimum, maximum, limits, target, every, period, colour, icon, note, tags, locked, archived, current

  /// The column with this header; `nil` for another one.
  init?(header: String) {
    guard let column = Self.allCases.first(where: { $0.rawValue.headerWord == header.headerWord }) else { return nil }
    self = column
  }

  /// The name in the interface.
  private var member: String { self == .stepDown ? "stepDown" : rawValue }

  private static let yes = "yes"

  /// The field of a counter in a table; `nil` for the setting of a new counter.
  ///
  /// - Parameter isFirst: whether the counter is the first one, which becomes the current one by default.
  func text(of counter: CounterLine, isFirst: Bool) -> String? {
    let value = counter.counter.object[member]
    return switch self {
    case .start, .step, .stepDown, .minimum, .maximum, .target, .every:
      value?.int.flatMap { $0 == usual(counter) ? nil : Self.numbers(counter.isStopwatch, counter.unit).text($0) }
    case .current where isFirst: nil
    case .tags: counter.tags.isEmpty ? nil : counter.tags.joined(separator: " ")
    case .locked, .archived, .current: value?.bool == true ? Self.yes : nil
    case .limits, .period, .colour, .icon, .note: value?.string.flatMap { $0.isEmpty ? nil : $0 }
    }
  }

  private func usual(_ counter: CounterLine) -> Int64? {
    switch self {
    case .start: 0
    case .step: Counter.usualStep(counter.decimals ?? 0, counter.isStopwatch)
    default: nil
    }
  }

  func text(of formula: FormulaLine) -> String? {
    let value = formula.formula.object[member]
    return switch self {
    case .colour, .icon, .note: value?.string.flatMap { $0.isEmpty ? nil : $0 }
    case .archived: value?.bool == true ? Self.yes : nil
    default: nil
    }
  }

  /// A field as the member of the interface.
  ///
  /// - Returns: `nil` for a text that is not valid.
  func member(_ text: String, isStopwatch: Bool, decimals: Int64) -> (name: String, value: JSON)? {
    let value: JSON? =
      switch self {
      case .start, .step, .stepDown, .minimum, .maximum, .target, .every:
        ImportFile.number(text).flatMap {
          try? JSON.int(Self.numbers(isStopwatch, .decimal(decimals)).number($0))
        }
      case .tags: .array(text.split(separator: " ").map { .string(String($0)) })
      case .locked, .archived, .current: text == Self.yes ? true : nil
      case .limits, .period, .colour, .icon, .note: .string(text)
      }
    return value.map { (member, $0) }
  }

  /// Times of stopwatches are seconds.
  private static func numbers(_ isStopwatch: Bool, _ unit: Unit) -> Unit { isStopwatch ? .decimal(6) : unit }
}
