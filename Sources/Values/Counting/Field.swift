/// A field of a counter, group or formula besides the value, which events change. The raw value is the name in the
/// interface, the journal and the command line. The ``row`` has all other facts of a setting.
public enum Field: String, CaseIterable, Sendable {
  // Name and looks.
  case name, title, colour, icon, note, tags
  // Position.
  case group, order, archived
  // Counting.
  case start, step, stepDown, minimum, maximum, limits, target, every, period
  // Formula text and display format.
  case formula, display
  // Consequences of events.
  case reachedAt, since, boottime, boot, lapped, began, renewsAt
  // Further settings. Their columns in the journal follow from ``row``.

  /// The value of a field.
  public enum Value: Hashable, Sendable {
    case none
    case integer(Int64)
    case text(String)

    public init(_ number: Int64?) { self = number.map(Value.integer) ?? .none }
    public init(_ text: String?) { self = text.map(Value.text) ?? .none }

    public var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
    public var text: String? { if case .text(let text) = self { text } else { nil } }
  }

  /// The type of the values.
  public enum Kind: Equatable, Sendable {
    /// A number in the counter's unit.
    case amount(least: Int64 = .min)
    /// 1 for yes.
    case flag
    case text
    /// A text that is one argument, such as a colour or a schedule.
    case word
    /// Words, separated by spaces.
    case words
    /// A group or a position.
    case place
    /// Follows from events, and cannot be set.
    case state
  }

  private var row: Row {
    switch self {
    case .name: Row(.word, of: .all, isOnPage: true)
    case .title: Row(.text, of: .all, "The title to show; default: the name.", isOnPage: true)
    case .colour:
      Row(
        .word, of: .all, Self.colourHelp, value: "colour", isOnPage: true, choices: Self.colours)
    case .icon: Row(.word, of: .all, "An emoji or a few letters.", value: "text", isOnPage: true)
    case .note: Row(.text, of: .all, "A note.", value: "text", isOnPage: true)
    case .tags: Row(.words, "Tags, separated by commas, for tally --tag.", value: "a,b", isOnPage: true)
    case .group: Row(.place, of: [.counters, .formulas])
    case .order: Row(.place, of: .all)
    case .archived: Row(.flag, of: [.counters, .formulas], isOnPage: true)
    case .start: Row(.amount(), "The value after a reset.", isOnPage: true)
    case .step: Row(.amount(least: 1), "The amount that one gesture adds or subtracts.", isOnPage: true)
    case .stepDown: Row(.amount(least: 1), "The amount that one gesture subtracts, if different.", isOnPage: true)
    case .minimum:
      Row(.amount(), "The lowest value; 0 to prevent negative values.", isOfStopwatches: false, isOnPage: true)
    case .maximum: Row(.amount(), "The highest value.", isOfStopwatches: false, isOnPage: true)
    case .limits:
      Row(
        .word, "Whether a count beyond a limit is refused, or stops at the limit.", value: "refuse|stop", isOnPage: true
      )
    case .target: Row(.amount(), "The goal: the value to reach.", isOfStopwatches: false, isOnPage: true)
    case .every:
      Row(
        .amount(least: 1), "Report each multiple of this on the way, such as 10.", isOfStopwatches: false,
        isOnPage: true)
    case .period:
      Row(
        .word,
        "Reset automatically: “hourly 15”, “daily 04:00”, “weekly monday”, “monthly 1 06:00 Europe/Berlin”, “yearly 07-01”, “on 2026-12-24”.",
        value: "when", isOnPage: true)
    case .formula: Row(.text, of: .formulas, isOnPage: true)
    case .display: Row(.word, of: .formulas)
    case .reachedAt, .since, .boottime, .boot, .lapped, .began, .renewsAt: Row(.state)
    }
  }

  private static let colourHelp = "\(colours.joined(separator: ", ")), or #rrggbb."

  /// The things that have a field.
  private struct Owners: OptionSet {
    let rawValue: UInt8
    static let counters = Owners(rawValue: 1)
    static let groups = Owners(rawValue: 2)
    static let formulas = Owners(rawValue: 4)
    static let all: Owners = [.counters, .groups, .formulas]
  }

  private struct Row {
    let kind: Kind
    let owners: Owners
    let help: String?
    let value: String
    let isOfStopwatches: Bool
    let isOnPage: Bool
    let choices: [String]

    init(
      _ kind: Kind, of owners: Owners = .counters, _ help: String? = nil, value: String = "n",
      isOfStopwatches: Bool = true, isOnPage: Bool = false, choices: [String] = []
    ) {
      self.kind = kind
      self.owners = owners
      self.help = help
      self.value = value
      self.isOfStopwatches = isOfStopwatches
      self.isOnPage = isOnPage
      self.choices = choices
    }
  }

  public var kind: Kind { row.kind }

  /// Whether users set the field. The others follow from events.
  public var isSetting: Bool { row.kind != .state }

  public var isAmount: Bool { if case .amount = row.kind { true } else { false } }

  public var isOfCounters: Bool { row.owners.contains(.counters) }

  /// Whether a group has the field.
  public var isOfGroups: Bool { row.owners.contains(.groups) }

  /// Whether a formula has the field.
  public var isOfFormulas: Bool { row.owners.contains(.formulas) }

  /// Whether stopwatches have the field, if counters have it.
  var isOfStopwatches: Bool { row.isOfStopwatches }

  /// Whether the field is an option of commands for groups as well.
  public var isLook: Bool { row.owners == .all && row.help != nil }

  /// Whether the page may set the field.
  public var isOnPage: Bool { row.isOnPage }

  /// The help of the command option, and the name of its value; `nil` for a field without an option.
  public var help: (text: String, value: String)? { row.help.map { ($0, row.value) } }

  /// The values that a shell completes.
  public var choices: [String] { row.choices }

  /// The settings in the counter's unit.
  public static let amounts = allCases.filter(\.isAmount)

  /// The settings of counters that are options of commands.
  public static let options = allCases.filter { $0.isOfCounters && $0.help != nil }

  /// The settings whose columns are not listed in the journal's schema, because they follow from ``row``.
  public static let further = Array(allCases.drop { $0 != .renewsAt }.dropFirst())

  /// The settings of counters that are shown as they are: not the name, the looks and the position, and none with a
  /// treatment of its own.
  public static let plain = allCases.filter { field in
    guard field.isOfCounters, !field.isLook, field.isSetting else { return false }
    return ![.name, .tags, .group, .order, .archived, .start, .step, .limits, .period].contains(field)
  }

  /// The value as a counter stores it; `nil` for none, and for one that the field cannot have.
  func stored(_ value: Value) -> Value? {
    switch row.kind {
    case .amount(let least): value.integer.map { .integer(max(least, $0)) }
    case .flag: value == .integer(1) ? value : nil
    default: value.text.flatMap { $0.isEmpty ? nil : .text($0) }
    }
  }
}

/// Settings to change. A group is given by its name; an empty text or `none` clears a setting.
public typealias Settings = [Field: Field.Value]

/// The change of one field by an event.
public struct Alteration: Hashable, Sendable {
  public let field: Field
  public let before: Field.Value
  public let after: Field.Value

  public init(_ field: Field, from before: Field.Value, to after: Field.Value) {
    self.field = field
    self.before = before
    self.after = after
  }

  /// The change that undoes this one.
  var inverse: Alteration { Alteration(field, from: after, to: before) }
}
