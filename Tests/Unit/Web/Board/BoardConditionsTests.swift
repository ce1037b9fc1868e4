import Board
import CoreAPI
import JSON
import Testing

@Suite struct FleetWatchTests {
  private static let minute: Int64 = 60_000_000
  private let now: Int64 = 10_000 * minute

  private func station(_ name: String, _ members: JSONObject) -> JSON {
    var object = members
    object["name"] = .string(name)
    return .object(object)
  }

  private func fleet(_ stations: [JSON], connected: Bool = true) -> Counters.FleetReply {
    let own = station("door1", ["own": true, "online": .bool(connected)])
    return .init(["fleet": "venue", "connected": .bool(connected), "stations": .array([own] + stations)])
  }

  private func missing(_ stations: [JSON], connected: Bool = true) -> String? {
    var watch = FleetWatch()
    return watch.missing(in: fleet(stations, connected: connected), now: now)
  }

  @Test func `without a fleet, and while all are there, nothing is said`() {
    var watch = FleetWatch()
    #expect(watch.missing(in: .init([:]), now: now) == nil)
    #expect(missing([]) == nil)
    #expect(missing([station("door2", ["online": true, "behind": 0]), station("door3", [:])]) == nil)
  }

  @Test(
    arguments: [
      (0, "door2 is offline"), (1, "door2 has not been heard for 1 min"), (5, "door2 has not been heard for 5 min"),
      (119, "door2 has not been heard for 119 min"), (150, "door2 has not been heard for 2 h"),
      (4320, "door2 has not been heard for 3 days"), (-3, "door2 is offline"),
    ])
  func `a station that is offline is named, with the time since it was heard`(minutes: Int64, text: String) {
    let lastSeen = JSON.int(now - minutes * Self.minute)
    #expect(missing([station("door2", ["online": false, "lastSeen": lastSeen])]) == text)
  }

  @Test func `of a station that is not connected itself only that is said`() {
    let text = missing([station("door2", ["online": false])], connected: false)
    #expect(text == "This station is not connected to its fleet: counts of others are old")
  }

  @Test func `the line stays short, whatever the number of stations`() {
    func text(_ number: Int) -> String? { missing((1...number).map { station("s\($0)", ["online": false]) }) }
    #expect(text(3) == "s1 is offline, s2 is offline, s3 is offline")
    #expect(text(4) == "s1 is offline, s2 is offline, s3 is offline, 1 more is missing")
    #expect(text(50)?.hasSuffix(", 47 more are missing") == true)
  }

  @Test func `a station is behind once it has heard nothing new for half a minute, and not while it only lags`() {
    var watch = FleetWatch()
    func text(_ heard: Int64, _ behind: Int64, seconds: Int64) -> String? {
      let one = station("door2", ["online": true, "heard": .int(heard), "behind": .int(behind)])
      return watch.missing(in: fleet([one]), now: now + seconds * 1_000_000)
    }
    for second in stride(from: 0 as Int64, to: 100, by: 5) { #expect(text(second, 2, seconds: second) == nil) }
    #expect(text(95, 3, seconds: 100) == nil)
    #expect(text(95, 4, seconds: 125) == "door2 has not confirmed 4 changes of this station")
    #expect(text(98, 1, seconds: 130) == nil)
    #expect(text(99, 0, seconds: 135) == nil)
    #expect(text(99, 1, seconds: 140) == nil)
    #expect(text(99, 1, seconds: 170) == "door2 has not confirmed 1 change of this station")
  }

  @Test func `numbers of a hostile core do not trap`() {
    let extremes: [JSON] = [.int(.min), .int(.max), .null, "x"]
    for value in extremes {
      let members: JSONObject = ["online": false, "lastSeen": value, "behind": value, "heard": value]
      for now in [Int64.min, 0, .max] {
        var watch = FleetWatch()
        _ = watch.missing(in: fleet([station("door2", members)]), now: now)
        _ = watch.missing(in: fleet([station("door2", ["behind": value, "heard": value])]), now: .max)
      }
    }
  }
}
