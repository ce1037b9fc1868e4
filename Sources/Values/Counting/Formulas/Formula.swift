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

  init(id: Counter.ID, name: CounterName, text: FormulaText) {
    self.id = id
    self.name = name
    self.title = name.text
    self.text = text.text
    parsed = text
  }

  /// Creates a formula from its stored fields.
  public init(id: Counter.ID, name: CounterName, text: String) {
    self.id = id
    self.name = name
    self.title = name.text
    self.text = text
    parsed = try? FormulaText(text)
  }

  /// Replaces a name in the expression.
  public mutating func follow(_ name: CounterName, to newName: CounterName) {
    if let parsed { text = parsed.renaming(name.text, to: newName.text, isGroup: false) }
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
