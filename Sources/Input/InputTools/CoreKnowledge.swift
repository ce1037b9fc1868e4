import Bindings
import CoreAPI
import Counting
import Varlink

/// Queries the core for a person who binds a gesture: which counters exist, and the counts of a device.
struct CoreKnowledge {
  private static let cause = Counters.Cause(producer: "tally-input")
  private let client: Client

  /// Connects to the first core that listens; `nil` if no core listens.
  init?(socket: String?) {
    guard let client = Client.first(option: socket) else { return nil }
    self.client = client
  }

  func names() throws -> [String] { try client.call(.list).counters.map(\.name) }

  func groups() throws -> [String] { try client.call(.groups).groups.map(\.name) }

  /// The sequence number of the last event; 0 without events.
  func lastEvent() throws -> Int64 { try client.call(.history(limit: 1)).events.first?.sequence ?? 0 }

  /// The first count of a device after an event: the gesture, the counter and its value.
  func count(by device: String, after sequence: Int64) throws -> (gesture: String, counter: String, value: Int64)? {
    for event in try client.call(.history(after: sequence)).events where event.cause.device == device {
      return (event.cause.gesture ?? "gesture", event.counter, event.value)
    }
    return nil
  }

  /// Undoes the counts that a device made after an event and in a range of times, in microseconds since 1970; returns
  /// the counters with their values, as "people is 3".
  func takeBackCounts(by device: String, after sequence: Int64, in times: ClosedRange<Int64>) throws -> [String] {
    let events = try client.call(.history(after: sequence, .init(device: device))).events
    let undone = Set(events.compactMap(\.undoes))
    return try events.reversed().compactMap { event in
      guard let kind = event.knownKind, kind.isCount || kind.isTiming || kind == .started,
        event.cause.device == device, times.contains(event.time), !undone.contains(event.sequence)
      else { return nil }
      let undo = try client.call(.undo(sequence: event.sequence).caused(by: Self.cause)).event
      return "\(undo.counter) is \(undo.unit.text(undo.value))"
    }
  }

  func make(_ name: String) throws { _ = try client.call(.create(name).caused(by: Self.cause)) }
}
