/// Counters that belong together.
public struct Group: Equatable, Sendable {
  public let id: Counter.ID
  public var name: CounterName
  /// What people read; the name where no title was given.
  public var title: String
  /// The name of a colour or `#rrggbb`; empty for none.
  public var colour = ""
  /// An emoji or a few letters; empty for none.
  public var icon = ""
  /// What people want to remember of it; empty for nothing.
  public var note = ""
  /// Its place among the groups: the lower, the earlier.
  public var order: Int64 = 0

  public init(id: Counter.ID, name: CounterName, title: String) {
    self.id = id
    self.name = name
    self.title = title
  }

  /// A field by its name, as with ``Counter``; a field that groups do not have is none.
  public subscript(field: Field) -> Field.Value {
    get {
      switch field {
      case .name: .text(name.text)
      case .title: .text(title)
      case .colour: .text(colour)
      case .icon: .text(icon)
      case .note: .text(note)
      case .order: .integer(order)
      default: .none
      }
    }
    set {
      switch field {
      case .name: if let text = newValue.text { name = CounterName(trusted: text) }
      case .title: title = newValue.text ?? name.text
      case .colour: colour = newValue.text ?? ""
      case .icon: icon = newValue.text ?? ""
      case .note: note = newValue.text ?? ""
      case .order: order = newValue.integer ?? order
      default: break
      }
    }
  }
}
