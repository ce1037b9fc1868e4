public import CoreAPI
import JSON

extension Routes {
  /// A request that the server passes to the paired devices or to the core.
  public enum Order: Sendable, Equatable {
    /// Pairs a device, by a code that the machine has shown.
    case pair(code: String, name: String, origin: String)
    /// Delivers counts from now on.
    ///
    /// - Parameter origin: the origin of the page. Pages of another origin have a separate queue, so that each origin
    ///   is a separate producer.
    case open(origin: String)
    case deliver(Delivery, origin: String)
    /// Undoes one of the last events.
    case undo(sequence: Int64)
    /// Sets the value of a counter, as text such as "12.5".
    case correct(counter: String, quantity: String)
    /// Sets the note about an event; `nil` removes it.
    case note(sequence: Int64, text: String?)
    /// Sets up counters or groups.
    case setUp(Setup)
    /// Keeps a picture for an icon.
    case keep(picture: [UInt8])
    /// Asks for the counts over time. Needs no pairing.
    case chart(ChartQuery, ChartQuery.Form)
    /// Asks for a page of past events. Needs no pairing.
    case history(HistoryQuery)
    /// Asks for the values in Prometheus' format. Needs no pairing.
    case metrics

    /// Whether the order requires a paired device.
    public var needsDevice: Bool {
      switch self {
      case .pair, .chart, .history, .metrics: false
      case .open, .deliver, .undo, .correct, .note, .setUp, .keep: true
      }
    }

    /// The origin of the page that counts; `nil` for other orders.
    public var origin: String? {
      switch self {
      case .open(let origin), .deliver(_, let origin): origin
      default: nil
      }
    }
  }

  /// Changes that a page makes, in their order, with the number of the first. Each is a separate delivery.
  public struct Delivery: Sendable, Equatable {
    public let epoch: Int64
    public let sequence: Int64
    public let taps: [Tap]

    /// The maximum number of changes in a request.
    public static let mostTaps = 10
  }

  /// One change that a page makes.
  public struct Tap: Sendable, Equatable {
    public let verb: Counters.Change.Verb
    /// The counter; `nil` for the current one.
    public let counter: String?
    public let gesture: String?
    /// The amount as text, such as "12.5"; `nil` for the counter's step.
    public let quantity: String?
    /// A note about the change, which is written once the change is counted.
    public let note: String?
    /// The time since the change was made, in milliseconds.
    public let age: Int64
  }
}

extension Routes.Order {
  /// Parses the body of a POST to an address for orders; `nil` for any other content.
  static func read(_ path: Substring, _ body: [UInt8], origin: String) -> Self? {
    guard let object = try? JSON(parsing: String(decoding: body, as: UTF8.self), values: 128).object else { return nil }
    switch path {
    case "/open": return object.holds(only: []) ? .open(origin: origin) : nil
    case "/undo": return object.holds(only: ["sequence"]) ? object["sequence"]?.int.map(Self.undo) : nil
    case "/setup":
      return object.holds(only: ["do", "name", "field", "text", "stopwatch", "decimals", "settings"])
        ? Setup(object).map(Self.setUp) : nil
    case "/correct":
      guard object.holds(only: ["counter", "quantity"]), let counter = object["counter"]?.string,
        let quantity = object["quantity"]?.string
      else { return nil }
      return .correct(counter: counter, quantity: quantity)
    case "/note":
      guard object.holds(only: ["sequence", "text"]) else { return nil }
      return object["sequence"]?.int.map { .note(sequence: $0, text: object["text"]?.string) }
    case "/pair":
      guard object.holds(only: ["code", "name"]), let code = object["code"]?.string, let name = object["name"]?.string
      else { return nil }
      return .pair(code: code, name: name, origin: origin)
    case "/count":
      guard object.holds(only: ["epoch", "sequence", "taps"]), let epoch = object["epoch"]?.int,
        let sequence = object["sequence"]?.int, let list = object["taps"]?.array,
        1...Routes.Delivery.mostTaps ~= list.count, sequence < Int64.max - Int64(list.count)
      else { return nil }
      let taps = list.compactMap(Routes.Tap.init)
      guard taps.count == list.count else { return nil }
      return .deliver(Routes.Delivery(epoch: epoch, sequence: sequence, taps: taps), origin: origin)
    default: return nil
    }
  }
}

extension Routes.Tap {
  fileprivate init?(_ value: JSON) {
    // An undo has an address of its own, at which it names its event.
    guard let object = value.object, object.holds(only: ["verb", "counter", "gesture", "quantity", "note", "age"]),
      let verb = object["verb"]?.string.flatMap(Counters.Change.Verb.init), verb != .undo, verb != .redo,
      let age = object["age"]?.int, age >= 0
    else { return nil }
    self.init(
      verb: verb, counter: object["counter"]?.string, gesture: object["gesture"]?.string,
      quantity: object["quantity"]?.string, note: object["note"]?.string, age: age)
  }
}

extension JSONObject {
  /// Whether each member has one of these names and the right type. Any other member would read as absent, which means
  /// the current counter, or no text for a setting.
  fileprivate func holds(only names: Set<String>) -> Bool {
    allSatisfy { name, value in
      switch name {
      case _ where !names.contains(name): false
      case "counter", "gesture", "quantity", "note", "text": value == .null || value.string != nil
      case "stopwatch": value == .null || value.bool != nil
      case "decimals": value == .null || value.int != nil
      case "settings": value == .null || value.object != nil
      default: true
      }
    }
  }
}
