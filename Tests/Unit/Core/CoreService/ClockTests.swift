import JSON
import Testing

/// The clock on the wall is set back and forward; what happened keeps the order in which it happened.
@Suite struct `A clock that is set` {
  static let hour: Int64 = 3_600_000_000
  static let noon: Int64 = 1_700_000_000_000_000

  @Test(arguments: [[0, -1, 1, -2], [0, 24 * 365, -24 * 365], [0, 0, 0]])
  func `leaves events in their order, and undo takes back what was last`(_ hours: [Int64]) throws {
    let core = try TestCore()
    let client = try core.client()
    try client.call("Open", ["producer": "pedal"])
    for (index, hour) in hours.enumerated() {
      let change: JSON = .object([
        "verb": "add", "amount": .int(Int64(1) << index), "time": .int(Self.noon + hour * Self.hour),
      ])
      try client.call(
        "Deliver", ["producer": "pedal", "epoch": 1, "sequence": .int(Int64(index) + 1), "changes": .array([change])])
    }
    let sums = hours.indices.map { "added count \((1 << ($0 + 1)) - 1)" }
    #expect(try client.history().filter { $0.hasPrefix("added") } == sums)
    let undone = try client.change("Undo")
    #expect(undone["change"] == .int(-(Int64(1) << (hours.count - 1))))
    core.restart()
    #expect(try core.client().value("count") == (Int64(1) << (hours.count - 1)) - 1)
  }
}
