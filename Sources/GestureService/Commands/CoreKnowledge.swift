import Bindings
import Platform
import Varlink

/// What the core knows, for a person who binds something: which counters there are, and what a device just counted.
struct CoreKnowledge {
  private static let interface = "org.tallymark.Counters"
  private let client: Client

  /// Asks the first core that is there; nil where there is none.
  init?(socket: String?) {
    for place in CoreSocket.candidates(option: socket) {
      if let client = try? Client(path: place) {
        self.client = client
        return
      }
    }
    return nil
  }

  /// Their names.
  func names() throws -> [String] {
    let counters = try client.call("\(Self.interface).List")["counters"]?.array ?? []
    return counters.compactMap { $0.object?["name"]?.string }
  }

  /// The number of the last event; 0 where there is none.
  func lastEvent() throws -> Int64 {
    try events(["before": .int(.max), "limit": .int(1)]).first?["sequence"]?.int ?? 0
  }

  /// What a device counted after the event of a number: the gesture, and how the counter stands.
  func count(by device: String, after sequence: Int64) throws -> (gesture: String, counter: String, value: Int64)? {
    for event in try events(["after": .int(sequence)]) where event["cause"]?.object?["device"]?.string == device {
      guard let counter = event["counter"]?.string, let value = event["value"]?.int else { continue }
      return (event["cause"]?.object?["gesture"]?.string ?? "gesture", counter, value)
    }
    return nil
  }

  private func events(_ page: JSONObject) throws -> [JSONObject] {
    (try client.call("\(Self.interface).History", page)["events"]?.array ?? []).compactMap(\.object)
  }

  /// Makes one.
  func make(_ name: String) throws { _ = try client.call("\(Self.interface).Create", ["name": .string(name)]) }
}
