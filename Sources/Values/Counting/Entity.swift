/// A group of counters.
public struct Group: Equatable, Sendable {
  public let id: Counter.ID
  public var name: CounterName
  /// The title to show; the name if no title was set.
  public var title: String
  /// The name of a colour or `#rrggbb`; empty for none.
  public var colour = ""
  /// An emoji or a few letters; empty for none.
  public var icon = ""
  /// A note for the user; empty for none.
  public var note = ""
  /// The position among the groups; lower comes first.
  public var order: Int64 = 0

  public init(id: Counter.ID, name: CounterName, title: String) {
    self.id = id
    self.name = name
    self.title = title
  }

  /// A field by its name, as with ``Counter``; `none` for a field that groups do not have.
  public subscript(field: Field) -> Field.Value {
    get { label(field) ?? .none }
    set { setLabel(field, to: newValue) }
  }
}

/// A counter, a group or a formula.
public enum Entity: EventSubject, Equatable {
  case counter(Counter)
  case group(Group)
  case formula(Formula)

  /// The key of an entity.
  public struct Key: Hashable, Sendable {
    public let subject: Event.Subject
    public let id: Counter.ID

    public init(subject: Event.Subject, id: Counter.ID) { (self.subject, self.id) = (subject, id) }

    /// The key of the entity that an event concerns.
    public init(_ event: Event) { self.init(subject: event.subject, id: event.counter) }
  }

  public var id: Counter.ID {
    switch self {
    case .counter(let counter): counter.id
    case .group(let group): group.id
    case .formula(let formula): formula.id
    }
  }

  public var name: CounterName {
    switch self {
    case .counter(let counter): counter.name
    case .group(let group): group.name
    case .formula(let formula): formula.name
    }
  }

  public var subject: Event.Subject {
    switch self {
    case .counter: .counter
    case .group: .group
    case .formula: .formula
    }
  }

  var counter: Counter? { if case .counter(let counter) = self { counter } else { nil } }
  var group: Group? { if case .group(let group) = self { group } else { nil } }
  var formula: Formula? { if case .formula(let formula) = self { formula } else { nil } }

  var unit: Unit { counter?.unit ?? .things }
  var value: Int64 { counter?.value ?? 0 }

  /// The value of a field; `none` for a field that the entity does not have.
  public subscript(field: Field) -> Field.Value {
    get {
      switch self {
      case .counter(let counter): counter[field]
      case .group(let group): group[field]
      case .formula(let formula): formula[field]
      }
    }
    set {
      switch self {
      case .counter(var counter):
        counter[field] = newValue
        self = .counter(counter)
      case .group(var group):
        group[field] = newValue
        self = .group(group)
      case .formula(var formula):
        formula[field] = newValue
        self = .formula(formula)
      }
    }
  }
}

extension Ledger {
  /// The entity with this ID, if it exists.
  public func entity(_ subject: Event.Subject, _ id: Counter.ID) -> Entity? {
    switch subject {
    case .counter: self[id].map(Entity.counter)
    case .group: group(id).map(Entity.group)
    case .formula: formula(id).map(Entity.formula)
    case .all: nil
    }
  }
}
