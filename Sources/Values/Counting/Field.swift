/// A field of a counter, group or formula besides the value, which events change. The raw value is the name in the
/// interface, the journal and the command line.
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

  /// Whether users set the field. The others follow from events.
  public var isSetting: Bool {
    switch self {
    case .reachedAt, .since, .boottime, .boot, .lapped, .began, .renewsAt: false
    default: true
    }
  }

  /// Whether a group has the field.
  public var isOfGroups: Bool {
    switch self {
    case .name, .title, .colour, .icon, .note, .order: true
    default: false
    }
  }

  /// Whether a formula has the field.
  public var isOfFormulas: Bool { isOfGroups || isOnlyOfFormulas || self == .group || self == .archived }

  var isOnlyOfFormulas: Bool { self == .formula || self == .display }
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
