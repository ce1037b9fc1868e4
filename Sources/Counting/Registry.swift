/// What is found by its number or by its name, which can change.
struct Registry<Entry: Labelled>: Sendable {
  private(set) var entries: [Counter.ID: Entry]
  private var ids: [CounterName: Counter.ID]

  init(_ entries: [Entry]) {
    self.entries = Dictionary(entries.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    self.ids = Dictionary(entries.map { ($0.name, $0.id) }, uniquingKeysWith: { first, _ in first })
  }

  subscript(id: Counter.ID) -> Entry? { entries[id] }

  subscript(name: CounterName) -> Entry? { ids[name].flatMap { entries[$0] } }

  /// Puts an entry in the place of the one with its number, or takes that one away.
  mutating func set(_ id: Counter.ID, to entry: Entry?) {
    let before = entries[id]
    entries[id] = entry
    guard before?.name != entry?.name else { return }
    // Who was renamed first may have left the name to another meanwhile.
    if let before, ids[before.name] == id { ids[before.name] = nil }
    if let entry { ids[entry.name] = id }
  }

  /// The same for an entry that is there and whose name has not changed.
  mutating func replace(_ entry: Entry) { entries[entry.id] = entry }

  /// Changes an entry, if it is there, in its place; its name stays as it is.
  mutating func change(_ id: Counter.ID, _ body: (inout Entry) -> Void) {
    guard let index = entries.index(forKey: id) else { return }
    body(&entries.values[index])
  }
}
