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
