import CoreAPI
import CoreService
import Counting
import JSON
import Testing

@Suite struct StructureTests {
  @Test func `units follow from kind and decimals`() {
    #expect(Counters.Counter(["kind": "stopwatch"]).unit == .time)
    #expect(Counters.Counter(["decimals": 2]).unit == .decimal(2))
    #expect(Counters.Event([:]).unit == .things)
    #expect(Counters.TotalsReply(["stopwatches": true]).unit == .time)
  }

  @Test func `what is missing, null or of another type reads as empty`() {
    for object: JSONObject in [
      [:], ["name": nil, "value": nil, "current": nil], ["name": 1, "value": "x", "current": []],
    ] {
      let counter = Counters.Counter(object)
      #expect(counter.name == "" && counter.value == 0 && !counter.isCurrent && counter.target == nil)
      #expect(counter.unit == .things)
    }
    #expect(Counters.EventReply(["event": 3]).event == Counters.Event())
    #expect(Counters.ListReply(["counters": [1, ["name": "a"], nil]]).counters.map(\.name) == ["a"])
    #expect(Counters.WatchReply(["event": ["kind": "added"]]).state == nil)
  }

  @Test func `unknown members and kinds are kept`() {
    let object: JSONObject = ["kind": "doubled", "factor": 2]
    let event = Counters.Event(object)
    #expect(event.kind == "doubled" && event.knownKind == nil && event.object == object)
    #expect(Counters.Event(["kind": "added"]).knownKind == .added)
  }

  @Test func `a member can be set, and removed with nil`() {
    var counter = Counters.Counter(["name": "a", "value": 1])
    counter[.current] = true
    #expect(counter.object == ["name": "a", "value": 1, "current": true])
    counter[.value] = nil as Int64?
    #expect(counter.object["value"] == nil)
  }

  @Test func `a streamed object is what the structure reads`() throws {
    typealias Member = Counters.Event.Member
    let text = EncodedObject { writer in
      writer.add(Member.sequence, Int64(7))
      writer.add(Member.kind, "added")
      writer.add(Member.reached, true)
      writer.add(Member.undoes, nil as Int64?)
      writer.add(Member.note, nil as String?)
      writer.add(Member.cause) { $0.add(Counters.Cause.Member.producer, "tally") }
      writer.add(Member.alterations, ["title"]) { $0.add(Counters.Alteration.Member.field, $1) }
    }
    let event = Counters.Event(try #require(try JSON(parsing: text.description).object))
    #expect(event.sequence == 7 && event.knownKind == .added && event.isReached)
    #expect(event.cause.producer == "tally" && event.alterations.map(\.field) == ["title"])
    #expect(event.object.count == 5)
  }
}
