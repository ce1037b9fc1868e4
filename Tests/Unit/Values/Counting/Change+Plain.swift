import Counting

extension Change {
  static func create(name: String, title: String?, start: Int64, step: Int64) -> Change {
    var settings: Settings = [.start: .integer(start), .step: .integer(step)]
    if let title { settings[.title] = .text(title) }
    return .create(name: name, settings)
  }

  static func reset(_ target: Target, isConfirmed: Bool) -> Change { .reset(.one(target), isConfirmed: isConfirmed) }

  static func undo(_ event: Event, reviving counter: Counter? = nil) -> Change {
    .undo([Takeback(event, reviving: counter.map(Entity.counter))])
  }
}
