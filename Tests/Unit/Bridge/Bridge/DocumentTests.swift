import Bridge
import CoreAPI
import JSON
import Testing

@Suite struct CommandTests {
  @Test func aCommandIsACallOfTheCore() throws {
    let add = try Command(parsing: #"{"add":"people","amount":2,"id":7,"more":null}"#.utf8)
    #expect(add.id == "7")
    let cause = Counters.Cause(producer: "mqtt", gesture: "command 7")
    #expect(add.request(of: "people") == .add("people", amount: 2).caused(by: cause))
    #expect(Command.id(of: .init(["cause": .object(cause.object)])) == "7")
    #expect(Command.id(of: .init(["cause": ["producer": "tally", "gesture": "command 7"]])) == nil)
  }

  @Test(
    arguments: [
      (#"{"subtract":"people"}"#, .subtract("p")), (#"{"correct":"people","value":-5}"#, .correct("p", value: -5)),
      (#"{"correct":"people","quantity":"-1.5"}"#, .correct("p", quantity: "-1.5")),
      (#"{"undo":"people"}"#, .undo("p")),
      (#"{"redo":"people"}"#, .redo("p")), (#"{"reset":"people"}"#, .reset("p", confirmed: true)),
    ] as [(String, Counters.Request<Counters.EventReply>)])
  func eachVerbHasItsMethod(text: String, request: Counters.Request<Counters.EventReply>) throws {
    #expect(try Command(parsing: text.utf8).request(of: "p") == request.caused(by: .init(producer: "mqtt")))
  }

  @Test(arguments: [
    "", "1", "[]", "{}", "{", #"{"add":1}"#, #"{"add":""}"#, #"{"add":"a","undo":"a"}"#, #"{"add":"a","amount":0}"#,
    #"{"add":"a","amount":1.5}"#, #"{"add":"a","amount":"1"}"#, #"{"add":"a","amount":99999999999999999999}"#,
    #"{"correct":"a"}"#, #"{"correct":"a","quantity":5}"#, #"{"add":"a","id":""}"#, #"{"add":"a","id":"a\nb"}"#,
    #"{"add":"a","id":{}}"#, #"{"remove":"a"}"#, #"{"add":"a","quantity":"1.5"}"#, #"{"undo":"a","amount":2}"#,
    "{\"add\":\"\(String(repeating: "a", count: 5_000))\"}",
  ])
  func aWrongCommandIsASentence(text: String) {
    #expect { try Command(parsing: text.utf8) } throws: { error in
      (error as? Command.Fault)?.text.hasSuffix(".") == true
    }
  }
}

@Suite struct DiscoveryTests {
  private let topics = FleetTopics(fleet: "venue", station: "door2")!
  private let id = "00112233445566778899aabbccddeeff"

  private func counter(_ value: Int64, decimals: Int64 = 0) -> SharedCounter {
    var counter = SharedCounter(id: id, name: "people", value: value)!
    counter.describe(["title": "People \"in\"", "decimals": .int(decimals), "step": 5])
    return counter
  }

  @Test func valuesArePlainDecimalNumbers() {
    #expect(counter(125).number == "125")
    #expect(counter(125, decimals: 1).number == "12.5")
    #expect(counter(-5, decimals: 3).number == "-0.005")
    #expect(counter(.min, decimals: 9).number == "-9223372036.854775808")
    #expect(counter(.max, decimals: 99).number == "9223372036854775807")
  }

  @Test func aStateIsJSON() throws {
    let state = try JSON(parsing: counter(125, decimals: 1).state(stations: 3, missing: ["door3"])).object
    #expect(state?["value"]?.float == 12.5 && state?["missing"] == ["door3"] && state?["stations"] == 3)
  }

  @Test func `a state has the goal and the limit`() throws {
    func state(_ value: Int64, _ definition: JSONObject) throws -> JSONObject {
      var counter = try #require(SharedCounter(id: id, name: "people", value: value))
      counter.describe(definition)
      return try #require(try JSON(parsing: counter.state(stations: 1, missing: [])).object)
    }
    let limited = try state(45, ["target": 50, "maximum": 60, "decimals": 1])
    #expect(limited["target"]?.float == 5 && limited["left"]?.float == 0.5 && limited["maximum"]?.float == 6)
    #expect(limited["full"] == false)
    let full = try state(60, ["target": 50, "maximum": 60])
    #expect(full["left"] == 0 && full["full"] == true)
    // Downwards.
    #expect(try state(30, ["start": 100, "target": 0])["left"] == 30)
    #expect(try state(.min, ["target": .int(.max)])["left"] == .int(.max))
    let plain = try state(1, [:])
    #expect(["target", "left", "maximum", "full"].allSatisfy { plain[$0] == nil })
  }

  @Test func `a station that obeys no commands announces none`() throws {
    var limited = counter(1)
    limited.describe(["target": 5, "maximum": 8])
    let documents = Discovery.components.publications(
      topics, isObeying: false, stations: [], counters: [limited], version: "1")
    #expect(documents.allSatisfy { !$0.payload.contains("door2/do") })
    // The sensor, the event, "full", and five triggers.
    #expect(documents.count == 8 && documents.count { $0.topic.contains("binary_sensor") } == 1)
    #expect(
      documents.count { $0.payload.contains("\"type\":\"full\"") || $0.payload.contains("\"type\":\"reached\"") } == 2)
  }

  @Test(arguments: [JSONObject(), ["id": "x", "name": "a"], ["id": "00112233445566778899AABBCCDDEEFF", "name": "a"]])
  func aCounterWithoutAnIDIsNone(object: JSONObject) { #expect(SharedCounter(Counters.SharedCounter(object)) == nil) }

  /// Home Assistant rejects a device with a root key that it does not know.
  private static let rootKeys: Set = ["device", "origin", "availability", "availability_mode", "components"]

  @Test func aCounterHasADocumentWithAllItsEntities() throws {
    let documents = Discovery.device.publications(
      topics, isObeying: true, stations: ["door1", "door2"], counters: [counter(1)], version: "1")
    #expect(documents.map(\.topic) == ["homeassistant/device/tallymark-venue/\(id)/config"])
    let root = try #require(try JSON(parsing: documents[0].payload).object)
    #expect(Set(root.map(\.key)) == Self.rootKeys)
    #expect(root["origin"]?.object?["name"] == "tally-mqttd")
    #expect(root["availability"]?.array?.count == 2)
    let parts = try #require(root["components"]?.object)
    #expect(
      Set(parts.compactMap { $0.value.object?["platform"]?.string }) == [
        "sensor", "button", "number", "event", "device_automation",
      ])
    // A key names an entity whatever its platform.
    #expect(parts.count == 10 && parts.allSatisfy { $0.key.hasPrefix(id) })
    #expect(Set(parts.compactMap { $0.value.object?["unique_id"]?.string }).count == 7)
    let sensor = try #require(parts[id]?.object)
    #expect(sensor["state_class"] == "total" && sensor["state_topic"] == .string("tallymark/venue/all/\(id)/state"))
    let add = try #require(parts["\(id)-add"]?.object)
    #expect(add["command_topic"] == "tallymark/venue/door2/do" && add["name"] == "People \"in\" add 5")
    // With the template filled in, the command is one that the bridge reads.
    func command(_ key: String, _ value: String = "") throws -> Command {
      let order = try #require(parts["\(id)-\(key)"]?.object?["command_template"]?.string)
      return try Command(parsing: order.filled("{{ now().timestamp() }}", "1764.5").filled("{{ value }}", value).utf8)
    }
    let added = try command("add")
    #expect(added.verb == .add && added.counter == id && added.id == "1764.5")
    let corrected = try command("correct", "12.5")
    #expect(corrected.verb == .correct && corrected.quantity == "12.5")
  }

  @Test func aStationHasADocumentAboutItself() throws {
    let documents = Discovery.device.station(topics, version: "1")
    #expect(documents.map(\.topic) == ["homeassistant/device/tallymark-venue/station-door2/config"])
    let root = try #require(try JSON(parsing: documents[0].payload).object)
    #expect(root["availability"] == nil)
    #expect(root["components"]?.object?["station-door2"]?.object?["device_class"] == "connectivity")
  }

  @Test func componentsHaveDocumentsOfTheirOwn() throws {
    let documents = Discovery.components.publications(
      topics, isObeying: true, stations: ["door1"], counters: [counter(1)], version: "1")
    #expect(documents.count == 10 && documents[0].topic == "homeassistant/sensor/tallymark-venue/\(id)/config")
    for document in documents {
      let root = try #require(try JSON(parsing: document.payload).object)
      #expect(root["device"] != nil && root["components"] == nil && root["platform"] == nil)
      #expect((root["unique_id"] != nil) == (root["automation_type"] == nil))
      #expect(
        document.topic.dropFirst(14).allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_/".contains($0)) })
      #expect(Discovery.counter(of: document.topic) == id)
    }
    #expect(
      Discovery.off.publications(topics, isObeying: true, stations: [], counters: [counter(1)], version: "1") == [])
    #expect(Discovery.off.station(topics, version: "1") == [])
  }

  @Test(arguments: [
    "homeassistant/device/tallymark-venue/station-door1/config", "tallymark/venue/all/x/value", "a", "",
  ])
  func otherTopicsAreOfNoCounter(topic: String) { #expect(Discovery.counter(of: topic) == nil) }
}

@Suite struct EventTests {
  private let topics = FleetTopics(fleet: "venue", station: "door2")!
  private let id = "00112233445566778899aabbccddeeff"

  @Test func anEventHasItsCauseAndItsNumbersInWholeUnits() throws {
    var counter = try #require(SharedCounter(id: id, name: "people"))
    counter.describe(["title": "People", "decimals": 1])
    let event = try #require(
      CounterEvent(
        Counters.Event([
          "kind": "added", "counter": "people", "time": 5, "change": 5, "value": 125,
          "cause": ["producer": "tally-inputd", "device": "Pedal", "gesture": "press KEY_B"],
        ])))
    let publication = event.publication(of: counter, topics)
    #expect(publication.topic == "tallymark/venue/door2/event/\(id)" && !publication.isRetained)
    let members = try #require(try JSON(parsing: publication.payload).object)
    #expect(members["event_type"] == "added" && members["change"]?.float == 0.5 && members["value"]?.float == 12.5)
    #expect(members["gesture"] == "press KEY_B" && members["device"] == "Pedal" && members["station"] == "door2")
  }

  @Test(
    arguments: [
      [:], ["kind": "learned", "counter": "a", "time": 1], ["kind": "added", "counter": "", "time": 1],
      ["kind": "renewed", "counter": "a", "time": 1],
    ] as [JSONObject])
  func otherEventsAreNotTold(object: JSONObject) { #expect(CounterEvent(Counters.Event(object)) == nil) }

  @Test func `an event that any station made has what it reached`() throws {
    var counter = try #require(SharedCounter(id: id, name: "people"))
    counter.describe(["maximum": 8])
    func kinds(_ change: Int64, _ value: Int64, _ more: JSONObject = [:]) throws -> [CounterEvent.Kind] {
      var object: JSONObject = ["kind": "learned", "counter": "people", "change": .int(change), "value": .int(value)]
      for (name, member) in more { object[name] = member }
      return CounterEvent.milestones(of: Counters.Event(object), counter).map(\.kind)
    }
    #expect(try kinds(1, 5) == [])
    #expect(try kinds(3, 5, ["reached": true, "boundary": 4]) == [.reached, .passed])
    #expect(try kinds(1, 8) == [.full])
    #expect(try kinds(5, 12) == [.full])
    // It was full before, or is no more.
    #expect(try kinds(1, 9) == [] && kinds(-1, 8) == [] && kinds(0, 8, ["limited": true]) == [])
    // A count of a period that has ended, and the end of that period.
    let late: JSONObject = ["kind": "added", "late": true, "batch": 1, "reached": true, "boundary": 4]
    #expect(try kinds(3, 8, late) == [] && kinds(3, 8, ["kind": "renewed", "batch": 1]) == [])
    #expect(try kinds(3, 8, ["kind": "added", "late": true]) == [.full])
    let passed = CounterEvent.milestones(
      of: Counters.Event(["kind": "added", "counter": "people", "change": 3, "value": 5, "boundary": 4]), counter)
    #expect(passed.first?.publication(of: counter, topics).payload.contains("\"value\":4,") == true)
  }

  @Test func eventsAreBounded() {
    var quota = EventQuota()
    var taken = 0
    for _ in 0..<100 where quota.take(now: 1_000_000_000) { taken += 1 }
    #expect(taken == 20)
    for second: Int64 in 2...11 {
      for _ in 0..<100 where quota.take(now: second * 1_000_000_000) { taken += 1 }
    }
    #expect(taken == 40)
  }
}

extension String {
  fileprivate func filled(_ template: String, _ text: String) -> String {
    guard let range = firstRange(of: template) else { return self }
    return self[..<range.lowerBound] + text + self[range.upperBound...]
  }
}
