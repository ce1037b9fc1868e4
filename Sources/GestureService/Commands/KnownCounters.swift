import Bindings
import Platform
import Varlink

/// The counters that the core has, for checking the name of one that a person writes.
struct KnownCounters {
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

  /// Makes one.
  func make(_ name: String) throws { _ = try client.call("\(Self.interface).Create", ["name": .string(name)]) }
}
