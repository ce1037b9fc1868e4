import CoreAPI
import Counting
import JSON
import TestKit
import Testing
import Varlink

@testable import CoreService
@testable import Fleet

extension `Cores in a fleet` {
  /// The contributions of the stations, and of others.
  private func contributions(at station: FleetTestStation) throws -> [String: Int64] {
    station.commit()
    let state = Counters.FleetReply(try station.fleet.state().parsed())
    var found = Dictionary(uniqueKeysWithValues: state.stations.map { ($0.name, $0.contribution ?? 0) })
    if state.others != 0 { found["others"] = state.others }
    return found
  }

  @Test func `each count is of one station, also while a copy of a card runs and after it has a name of its own`()
    throws
  {
    let (first, second) = try Self.pair()
    _ = try first.perform(add(3))
    let copy = try FleetTestStation(copyOf: try first.image(), boot: "copy")
    _ = try copy.perform(add(4))
    // Both have one name: nobody has said so far that it is another one who counts here.
    first.learnAll(from: copy)
    #expect(try contributions(at: first) == ["door1": 7])
    second.learnAll(from: copy)
    second.learnAll(from: first)
    #expect(try contributions(at: second) == ["door1": 7, "door2": 0])
    try copy.fleet.join(broker: "mqtt://localhost", fleet: "venue", station: "door3")
    // The name and the writer are in the report alone.
    _ = first.hear(copy.everything().filter { $0.topic.hasSuffix("/station") || $0.topic.hasSuffix("/knows") })
    #expect(try contributions(at: first) == ["door1": 3, "door2": 0, "door3": 4])
    second.learnAll(from: copy)
    #expect(try contributions(at: second) == ["door1": 3, "door2": 0, "door3": 4])
    copy.learnAll(from: first)
    copy.learnAll(from: second)
    // What the card had before it was copied is of both; here it is its own.
    #expect(try contributions(at: copy) == ["door1": 0, "door2": 0, "door3": 7])
    _ = first.hear([.init("door3/station", isRetained: true, "")])
    #expect(try contributions(at: first) == ["door1": 3, "door2": 0, "others": 4])
  }

  @Test func `shares that were asked for follow what each station does`() throws {
    let (first, second) = try Self.pair()
    func shares() throws -> [String: Int64] {
      first.learnAll(from: second)
      first.commit()
      return try #require(try first.shares().first).filter { $0.value != 0 }
    }
    _ = try second.perform(add(4))
    #expect(try shares() == ["door2": 4])
    for _ in 0..<2 {
      _ = try first.perform(add(3))
      _ = try second.perform(add(5))
      _ = try shares()
    }
    #expect(try shares() == ["door1": 6, "door2": 14])
    _ = try second.perform(.undo("people"))
    #expect(try shares() == ["door1": 6, "door2": 9])
    second.learnAll(from: first)
    _ = try second.perform(.change(.reset(.one(.named("people")), isConfirmed: true)))
    _ = try first.perform(add(1))
    #expect(try shares() == ["door1": 1])
    _ = try second.perform(.undo("people"))
    #expect(try shares() == ["door1": 7, "door2": 9])
  }

  @Test func `counters with different decimals have shares of their own, and no sum`() throws {
    let (first, second) = try Self.pair()
    func state() throws -> Counters.FleetReply {
      first.learnAll(from: second)
      first.commit()
      return Counters.FleetReply(try first.fleet.state().parsed())
    }
    _ = try first.perform(add(3))
    _ = try second.perform(add(4))
    #expect(try state().stations.map(\.contribution) == [3, 4])
    _ = try first.perform(.change(.create(name: "litres", decimals: 1, isStopwatch: false, [:])))
    _ = try first.perform(.change(.add(.named("litres"), amount: .units(125))))
    _ = try first.fleet.share("litres")
    let fleet = try state()
    #expect(fleet.stations.map(\.contribution) == [nil, nil])
    let shares = fleet.counters.map { counter in counter.shares.map { "\($0.station) \($0.change)" } }
    #expect(shares == [["door1 125"], ["door1 3", "door2 4"]])
    _ = first.hear([.init("door2/station", isRetained: true, "")])
    #expect(Counters.FleetReply(try first.fleet.state().parsed()).counters.map(\.others) == [nil, 4])
  }
}
