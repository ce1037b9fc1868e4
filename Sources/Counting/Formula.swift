public import Formulas

/// A value that follows from others.
public struct Formula: Equatable, Sendable {
  public let id: Counter.ID
  /// How other formulas mention it; no counter bears the same.
  public var name: CounterName
  /// What people read; the name where no title was given.
  public var title: String
  /// The name of a colour or `#rrggbb`; empty for none.
  public var colour = ""
  /// An emoji or a few letters; empty for none.
  public var icon = ""
  /// What people want to remember of it; empty for nothing.
  public var note = ""
  /// Its place among the formulas: the lower, the earlier.
  public var order: Int64 = 0
  /// How its value is shown.
  public var display = Display.number
  /// What it says.
  public var text: String { didSet { parsed = try? FormulaText(text) } }
  /// The same, understood; `nil` for what a journal that was edited by hand may hold.
  private(set) var parsed: FormulaText?

  init(id: Counter.ID, name: CounterName, text: FormulaText) {
    self.id = id
    self.name = name
    self.title = name.text
    self.text = text.text
    parsed = text
  }

  /// A formula as it was stored.
  public init(id: Counter.ID, name: CounterName, text: String) {
    self.id = id
    self.name = name
    self.title = name.text
    self.text = text
    parsed = try? FormulaText(text)
  }

  /// Lets it call a counter or formula by another name.
  public mutating func follow(_ name: CounterName, to newName: CounterName) {
    if let parsed { text = parsed.renaming(name.text, to: newName.text, isGroup: false) }
  }

  /// A field by its name, as with ``Counter``; a field that formulas do not have is none.
  public subscript(field: Field) -> Field.Value {
    get {
      switch field {
      case .formula: .text(text)
      case .display: .text(display.rawValue)
      default: label(field) ?? .none
      }
    }
    set {
      switch field {
      case .formula: if let text = newValue.text { self.text = text }
      case .display: display = newValue.text.flatMap(Display.init) ?? display
      default: setLabel(field, to: newValue)
      }
    }
  }
}
