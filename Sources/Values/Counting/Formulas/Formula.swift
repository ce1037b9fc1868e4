/// A value computed from counters and other formulas.
public struct Formula: Equatable, Sendable {
  public let id: Counter.ID
  /// The name, unique among formulas and counters.
  public var name: CounterName
  /// The title to show; the name if no title was set.
  public var title: String
  /// The name of a colour or `#rrggbb`; empty for none.
  public var colour = ""
  /// An emoji or a few letters; empty for none.
  public var icon = ""
  /// A note for the user; empty for none.
  public var note = ""
  /// The group that the formula belongs to. It does not count as a member in sums of the group.
  public var group: Counter.ID?
  /// The position among the formulas of its group; lower comes first.
  public var order: Int64 = 0
  /// Whether the formula is hidden. It keeps its value.
  public var isArchived = false
  /// The display format.
  public var display = Display.number
  /// The expression as text.
  public var text: String { didSet { parsed = try? FormulaText(text) } }
  /// The parsed expression; `nil` if the text, edited by hand in the journal, is not valid.
  private(set) var parsed: FormulaText?

  /// Creates a formula from its stored fields.
  public init(id: Counter.ID, name: CounterName, text: String) {
    self.id = id
    self.name = name
    self.title = name.text
    self.text = text
    parsed = try? FormulaText(text)
  }

  /// Replaces names in the expression.
  ///
  /// - Parameter names: the new names, by the old ones.
  public mutating func follow(_ names: [CounterName: CounterName]) {
    let names = Dictionary(uniqueKeysWithValues: names.map { ($0.key.text, $0.value.text) })
    if let parsed { text = parsed.renaming(names, isGroup: false) }
  }

  /// A field by its name, as with ``Counter``; `none` for a field that formulas do not have.
  public subscript(field: Field) -> Field.Value {
    get {
      switch field {
      case .formula: .text(text)
      case .display: .text(display.rawValue)
      case .group: .init(group?.number)
      case .archived: .integer(isArchived ? 1 : 0)
      default: label(field) ?? .none
      }
    }
    set {
      switch field {
      case .formula: if let text = newValue.text { self.text = text }
      case .display: display = newValue.text.flatMap(Display.init) ?? display
      case .group: group = newValue.integer.map(Counter.ID.init)
      case .archived: isArchived = newValue.integer == 1
      default: setLabel(field, to: newValue)
      }
    }
  }
}

/// The names that formulas mention, found by formula and by name.
struct FormulaDependencies: Sendable {
  private var dependents: [Mention: Set<Counter.ID>] = [:]
  private var mentions: [Counter.ID: Set<Mention>] = [:]

  private struct Mention: Hashable {
    let name: CounterName
    let isGroup: Bool
  }

  /// The formulas whose text mentions a counter or a formula, or a group.
  func of(_ name: CounterName, isGroup: Bool) -> Set<Counter.ID> {
    dependents[Mention(name: name, isGroup: isGroup)] ?? []
  }

  /// The counters and formulas that a formula mentions, each once.
  func names(in formula: Counter.ID) -> some Sequence<CounterName> {
    (mentions[formula] ?? []).lazy.filter { !$0.isGroup }.map(\.name)
  }

  /// Replaces the names in one formula by those in another.
  mutating func replace(_ old: Formula?, with new: Formula?) {
    if let old, let former = mentions.removeValue(forKey: old.id) {
      for mention in former {
        dependents[mention]?.remove(old.id)
        if dependents[mention]?.isEmpty ?? false { dependents[mention] = nil }
      }
    }
    if let new, let parsed = new.parsed {
      let names = Set(
        parsed.expression.references.map { kind, reference in
          Mention(name: CounterName(trusted: reference.name), isGroup: kind == .group)
        })
      mentions[new.id] = names
      for mention in names { dependents[mention, default: []].insert(new.id) }
    }
  }
}
