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
