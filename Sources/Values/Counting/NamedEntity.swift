/// The subject of an event, as far as the event states it.
protocol EventSubject: Sendable {
  var subject: Event.Subject { get }
  var id: Counter.ID { get }
  var name: CounterName { get }
  /// The unit of the value; things for an entity that has no value of its own.
  var unit: Unit { get }
  /// The value; 0 for an entity that has no value of its own.
  var value: Int64 { get }
  /// The value of a field; `none` for a field that the entity does not have.
  subscript(field: Field) -> Field.Value { get set }
}

extension EventSubject {
  var unit: Unit { .things }
  var value: Int64 { 0 }

  /// The changes of fields that lead from an earlier state to this one.
  func alterations(of fields: [Field] = Field.allCases, since before: some EventSubject) -> [Alteration] {
    fields.compactMap { field in
      before[field] == self[field] ? nil : Alteration(field, from: before[field], to: self[field])
    }
  }

  mutating func apply(_ alterations: [Alteration]) {
    for alteration in alterations { self[alteration.field] = alteration.after }
  }
}

/// All counters together, which have no fields.
struct AllCounters: EventSubject {
  var subject: Event.Subject { .all }
  var id: Counter.ID { .all }
  var name: CounterName { CounterName(trusted: "") }
  subscript(_: Field) -> Field.Value {
    get { .none }
    set {}
  }
}

/// The common part of counters, groups and formulas: ID, name, looks and position.
protocol NamedEntity: EventSubject {
  var name: CounterName { get set }
  var title: String { get set }
  var colour: String { get set }
  var icon: String { get set }
  var note: String { get set }
  var order: Int64 { get set }
}

extension Counter: NamedEntity { var subject: Event.Subject { .counter } }
extension Group: NamedEntity { var subject: Event.Subject { .group } }
extension Formula: NamedEntity { var subject: Event.Subject { .formula } }

extension NamedEntity {
  /// The sort key among entities of its kind and group; of equal positions the older entity comes first.
  var place: (Int64, Int64) { (order, id.number) }

  /// A common field; `nil` for any other field.
  func label(_ field: Field) -> Field.Value? {
    switch field {
    case .name: .text(name.text)
    case .title: .text(title)
    case .colour: .text(colour)
    case .icon: .text(icon)
    case .note: .text(note)
    case .order: .integer(order)
    default: nil
    }
  }

  /// Sets a common field; any other field is ignored.
  mutating func setLabel(_ field: Field, to value: Field.Value) {
    switch field {
    case .name: if let text = value.text { name = CounterName(trusted: text) }
    case .title: title = value.text ?? name.text
    case .colour: colour = value.text ?? ""
    case .icon: icon = value.text ?? ""
    case .note: note = value.text ?? ""
    case .order: order = value.integer ?? order
    default: break
    }
  }
}

/// Entries by ID and by name. Names can change.
struct Registry<Entry: NamedEntity>: Sendable {
  private(set) var entries: [Counter.ID: Entry]
  private var ids: [CounterName: Counter.ID]

  init(_ entries: [Entry]) {
    self.entries = Dictionary(entries.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    self.ids = Dictionary(entries.map { ($0.name, $0.id) }, uniquingKeysWith: { first, _ in first })
  }

  subscript(id: Counter.ID) -> Entry? { entries[id] }

  func id(of name: CounterName) -> Counter.ID? { ids[name] }

  subscript(name: CounterName) -> Entry? { ids[name].flatMap { entries[$0] } }

  /// Replaces or removes the entry with this ID.
  mutating func set(_ id: Counter.ID, to entry: Entry?) {
    let before = entries[id]
    entries[id] = entry
    guard before?.name != entry?.name else { return }
    // Another entry may have taken the old name in the meantime.
    if let before, ids[before.name] == id { ids[before.name] = nil }
    if let entry { ids[entry.name] = id }
  }

  /// Replaces an existing entry whose name has not changed.
  mutating func replace(_ entry: Entry) { entries[entry.id] = entry }

  /// Changes an existing entry in place, but not its name.
  mutating func change(_ id: Counter.ID, _ body: (inout Entry) -> Void) {
    guard let index = entries.index(forKey: id) else { return }
    body(&entries.values[index])
  }
}
