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
    get { label(field) ?? .none }
    set { setLabel(field, to: newValue) }
  }
}
