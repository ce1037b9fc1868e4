import Counting
import Varlink

extension JSON {
  /// A counter as the interface describes it, with the value it had at some moment if that is not the present one.
  init(_ counter: Counter, value: Int64? = nil, in ledger: Ledger) {
    self = .object([
      "name": .string(counter.name.text), "title": .string(counter.title), "value": .int(value ?? counter.value),
      "start": .int(counter.start), "step": .int(counter.step), "current": .bool(ledger.current == counter.id),
    ])
  }

  /// An event as the interface describes it.
  init(_ event: Event) {
    var object: JSONObject = [
      "sequence": .int(event.sequence), "time": .int(event.time), "kind": .string(event.kind.rawValue),
      "counter": .string(event.name.text), "change": .int(event.change), "value": .int(event.value),
    ]
    if let undoes = event.undoes { object["undoes"] = .int(undoes) }
    object["cause"] = JSON(event.cause)
    self = .object(object)
  }

  private init(_ cause: Cause) {
    var object: JSONObject = ["producer": .string(cause.producer)]
    if let device = cause.device { object["device"] = .string(device) }
    if let gesture = cause.gesture { object["gesture"] = .string(gesture) }
    self = .object(object)
  }
}
