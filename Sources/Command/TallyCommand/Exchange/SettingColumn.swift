import CoreAPI
import Counting
import JSON

/// A setting of a counter, or of a formula, as a column in the table of values that tally writes. A table has the
/// columns of the settings that any of its entries has.
enum SettingColumn: Hashable, CaseIterable {
  case setting(Field)
  case locked, archived, current
  /// A look of a group, in the row of the first of its counters and formulas.
  case ofGroup(Field)

  static let allCases = fields.map(Self.setting) + [.locked, .archived, .current] + Group.looks.map(Self.ofGroup)

  /// The settings whose columns are not in every table, the looks last.
  private static let fields = Field.options.filter { !$0.isLook && $0 != .tags } + [.colour, .icon, .note, .tags]

  /// The column with this header; `nil` for another one.
  init?(header: String) {
    guard let column = Self.allCases.first(where: { $0.header.headerWord == header.headerWord }) else { return nil }
    self = column
  }

  var header: String {
    switch self {
    case .setting(let field): field.option
    case .locked: "locked"
    case .archived: "archived"
    case .current: "current"
    case .ofGroup(let field): "group-\(field.option)"
    }
  }

  /// The name in the interface; of a look of a group, the name in a line of values.
  private var member: String {
    switch self {
    case .setting(let field): field.rawValue
    case .ofGroup(let field): Group.member(of: field)
    case .locked, .archived, .current: header
    }
  }

  private var kind: Field.Kind {
    switch self {
    case .setting(let field), .ofGroup(let field): field.kind
    case .locked, .archived, .current: .flag
    }
  }

  private static let yes = "yes"

  /// The field of a counter in a table; `nil` for the setting of a new counter.
  ///
  /// - Parameter isFirst: whether the counter is the first one, which becomes the current one by default.
  func text(of counter: CounterLine, isFirst: Bool) -> String? {
    if self == .current, isFirst { return nil }
    let value = counter.counter.object[member]
    return switch kind {
    case .amount:
      value?.int.flatMap { $0 == usual(counter) ? nil : Self.numbers(counter.isStopwatch, counter.unit).text($0) }
    case .words: (value?.array?.compactMap(\.string).joined(separator: " ")).flatMap { $0.isEmpty ? nil : $0 }
    case .flag: value?.bool == true ? Self.yes : nil
    default: value?.string.flatMap { $0.isEmpty ? nil : $0 }
    }
  }

  private func usual(_ counter: CounterLine) -> Int64? {
    switch self {
    case .setting(.start): 0
    case .setting(.step): Counter.usualStep(counter.decimals ?? 0, counter.isStopwatch)
    default: nil
    }
  }

  func text(of formula: FormulaLine) -> String? {
    let value = formula.formula.object[member]
    return switch self {
    case .setting(.colour), .setting(.icon), .setting(.note), .ofGroup: value?.string.flatMap { $0.isEmpty ? nil : $0 }
    case .archived: value?.bool == true ? Self.yes : nil
    default: nil
    }
  }

  /// A field as the member of the interface.
  ///
  /// - Returns: `nil` for a text that is not valid.
  func member(_ text: String, isStopwatch: Bool, decimals: Int64, _ mark: DecimalMark) -> (name: String, value: JSON)? {
    let value: JSON? =
      switch kind {
      case .amount:
        mark.number(text).flatMap {
          try? JSON.int(Self.numbers(isStopwatch, .decimal(decimals)).number($0))
        }
      case .words: .array(text.split(separator: " ").map { .string(String($0)) })
      case .flag: text == Self.yes ? true : nil
      default: .string(text)
      }
    return value.map { (member, $0) }
  }

  /// Times of stopwatches are seconds.
  private static func numbers(_ isStopwatch: Bool, _ unit: Unit) -> Unit { isStopwatch ? .decimal(6) : unit }
}

/// The looks of groups in files of values, whose lines are counters and formulas.
extension Group {
  static let looks: [Field] = [.title, .colour, .icon, .note]

  /// The name of a look in the line of a counter or a formula: `groupIcon`.
  static func member(of look: Field) -> String {
    "group" + look.rawValue.prefix(1).uppercased() + look.rawValue.dropFirst()
  }

  /// The title, colour, icon and note of a group as members of a line. A title that equals the name is left out.
  static func members(of group: Counters.Group) -> JSONObject {
    var members: JSONObject = [:]
    for look in looks {
      guard let text = group.object[look.rawValue]?.string, !text.isEmpty, look != .title || text != group.name else {
        continue
      }
      members[member(of: look)] = .string(text)
    }
    return members
  }
}
