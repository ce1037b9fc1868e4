/// The common part of counters, groups and formulas: ID, name, looks and position.
protocol NamedEntity: Sendable {
  var id: Counter.ID { get }
  var name: CounterName { get set }
  var title: String { get set }
  var colour: String { get set }
  var icon: String { get set }
  var note: String { get set }
  var order: Int64 { get set }
}

extension Counter: NamedEntity {}
extension Group: NamedEntity {}
extension Formula: NamedEntity {}

extension NamedEntity {
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
