/// A single thing that a counter or a group keeps besides its value, and that events change.
///
/// The raw value is what the socket, the journal and the command line call it.
public enum Field: String, CaseIterable, Sendable {
  // How it is called and what it looks like.
  case name, title, colour, icon, note, tags
  // Where it stands.
  case group, order, archived
  // How it counts.
  case start, step, stepDown, minimum, maximum, limits, target, every, period
  // What a formula says, and how its value is shown.
  case formula, display
  // What its events leave behind.
  case reachedAt, since, boottime, boot, lapped, began, renewsAt

  /// What a field holds.
  public enum Value: Hashable, Sendable {
    case none
    case integer(Int64)
    case text(String)

    public init(_ number: Int64?) { self = number.map(Value.integer) ?? .none }
    public init(_ text: String?) { self = text.map(Value.text) ?? .none }

    public var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
    public var text: String? { if case .text(let text) = self { text } else { nil } }
  }

  /// Whether people set it; the others follow from what happens.
  public var isSetting: Bool {
    switch self {
    case .reachedAt, .since, .boottime, .boot, .lapped, .began, .renewsAt: false
    default: true
    }
  }

  /// Whether a group has it as well.
  public var isOfGroups: Bool {
    switch self {
    case .name, .title, .colour, .icon, .note, .order: true
    default: false
    }
  }

  /// Whether a formula has it.
  public var isOfFormulas: Bool { isOfGroups || isOnlyOfFormulas }

  var isOnlyOfFormulas: Bool { self == .formula || self == .display }
}

/// What is to be set, as it was asked for. A group is meant by its name; an empty text or `none` takes a setting away.
public typealias Settings = [Field: Field.Value]

/// What an event did to one field.
public struct Alteration: Hashable, Sendable {
  public let field: Field
  public let before: Field.Value
  public let after: Field.Value

  public init(_ field: Field, from before: Field.Value, to after: Field.Value) {
    self.field = field
    self.before = before
    self.after = after
  }

  /// What takes it back.
  var inverse: Alteration { Alteration(field, from: after, to: before) }
}
