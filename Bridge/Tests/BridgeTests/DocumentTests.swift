import Bridge
import Testing
import Varlink

@Suite struct CommandTests {
  @Test func aCommandIsACallOfTheCore() throws {
    let add = try Command(parsing: #"{"add":"people","amount":2,"id":7,"more":null}"#.utf8)
    #expect(add.id == "7")
    #expect(add.call(of: "people").method == "Add")
    #expect(
      add.call(of: "people").parameters == ["name": "people", "cause": ["producer": "mqtt"], "amount": 2])
    let correct = try Command(parsing: #"{"correct":"people","value":-5}"#.utf8).call(of: "p")
    #expect(correct.method == "Correct" && correct.parameters["value"] == -5)
    #expect(try Command(parsing: #"{"undo":"people"}"#.utf8).call(of: "p").parameters["counter"] == "p")
    #expect(try Command(parsing: #"{"reset":"people"}"#.utf8).call(of: "p").parameters["confirmed"] == true)
  }

  @Test(arguments: [
    "", "1", "[]", "{}", "{", #"{"add":1}"#, #"{"add":""}"#, #"{"add":"a","undo":"a"}"#, #"{"add":"a","amount":0}"#,
    #"{"add":"a","amount":1.5}"#, #"{"add":"a","amount":"1"}"#, #"{"add":"a","amount":99999999999999999999}"#,
    #"{"correct":"a"}"#, #"{"add":"a","id":""}"#, #"{"add":"a","id":{}}"#, #"{"remove":"a"}"#,
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
    var counter = SharedCounter(["id": .string(id), "name": "people", "value": .int(value)])!
    counter.describe(["title": "People \"in\"", "decimals": .int(decimals), "step": 5])
    return counter
  }

  @Test func valuesArePlainDecimalNumbers() {
    #expect(counter(125).number == "125")
    #expect(counter(125, decimals: 1).number == "12.5")
    #expect(counter(-5, decimals: 3).number == "-0.005")
    #expect(counter(.min, decimals: 18).number == "-9.223372036854775808")
    #expect(counter(.max, decimals: 99).number == "9223372036854775807")
  }

  @Test func aStateIsJSON() throws {
    let state = try JSON(parsing: counter(125, decimals: 1).state(stations: 3, missing: ["door3"])).object
    #expect(state?["value"]?.float == 12.5 && state?["missing"] == ["door3"] && state?["stations"] == 3)
  }

  @Test(arguments: [JSONObject(), ["id": "x", "name": "a"], ["id": "00112233445566778899AABBCCDDEEFF", "name": "a"]])
  func aCounterWithoutAnIDIsNone(object: JSONObject) { #expect(SharedCounter(object) == nil) }

  /// Home Assistant rejects a device with a root key that it does not know.
  private static let rootKeys: Set = ["device", "origin", "availability", "availability_mode", "components"]

  @Test func oneDocumentHasAllOfADevice() throws {
    let documents = Discovery.device.publications(
      topics, speaker: "door1", stations: ["door1", "door2"], counters: [counter(1)], version: "1")
    #expect(documents.map(\.topic) == ["homeassistant/device/tallymark-venue/config"])
    let root = try #require(try JSON(parsing: documents[0].payload).object)
    #expect(Set(root.map(\.key)) == Self.rootKeys)
    #expect(root["origin"]?.object?["name"] == "tally-mqttd")
    #expect(root["availability"]?.array?.count == 2)
    let parts = try #require(root["components"]?.object)
    #expect(parts.count == 5)
    var ids: Set<String> = []
    for (_, part) in parts {
      let part = try #require(part.object)
      #expect(["sensor", "button"].contains(part["platform"]?.string))
      ids.insert(try #require(part["unique_id"]?.string))
    }
    #expect(ids.count == 5)
    let sensor = try #require(parts[id]?.object)
    #expect(sensor["state_class"] == "total" && sensor["state_topic"] == .string("tallymark/venue/all/\(id)/state"))
    let add = try #require(parts["\(id)-add"]?.object)
    #expect(add["command_topic"] == "tallymark/venue/door1/do" && add["name"] == "People \"in\" +5")
    // With the template filled in, the command is one that the bridge reads.
    let order = try #require(add["command_template"]?.string)
    let template = try #require(order.firstRange(of: "{{ now().timestamp() }}"))
    let command = try Command(parsing: order.replacingCharacters(in: template, with: "1764.5").utf8)
    #expect(command.verb == .add && command.counter == id && command.id == "1764.5")
  }

  @Test func componentsHaveDocumentsOfTheirOwn() throws {
    let documents = Discovery.components.publications(
      topics, speaker: "door1", stations: ["door1"], counters: [counter(1)], version: "1")
    #expect(documents.count == 5 && documents[0].topic == "homeassistant/sensor/tallymark-venue/\(id)/config")
    for document in documents {
      let root = try #require(try JSON(parsing: document.payload).object)
      #expect(root["device"] != nil && root["unique_id"] != nil && root["components"] == nil && root["platform"] == nil)
      #expect(
        document.topic.dropFirst(14).allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_/".contains($0)) })
    }
    #expect(
      Discovery.off.publications(topics, speaker: "a", stations: [], counters: [counter(1)], version: "1") == [])
  }
}

extension String {
  fileprivate func replacingCharacters(in range: Range<Index>, with text: String) -> String {
    String(self[..<range.lowerBound]) + text + self[range.upperBound...]
  }
}
