import CounterService
import CountersAPI
import Counting
import Testing
import Varlink

@Suite struct StructureTests {
  private let interface: Interface

  init() throws { interface = try Interface(CountersInterface.description) }

  /// An object of a type with all members: texts are the member's name, numbers its place.
  private func sample(_ name: String) -> JSONObject {
    guard case .structure(let fields)? = interface.types[name] else { return [:] }
    var object: JSONObject = [:]
    for (place, field) in fields.enumerated() { object[field.name] = value(field.type, field.name, place) }
    return object
  }

  private func value(_ type: Interface.ValueType, _ name: String, _ place: Int) -> JSON {
    switch type {
    case .int: .int(Int64(place))
    case .bool: true
    case .string: .string(name)
    case .nullable(let type): value(type, name, place)
    case .array(let type): [value(type, name, place)]
    case .named(let type): .object(sample(type))
    default: .null
    }
  }

  /// The numbers of a sample, by member.
  private func numbers<Type: Structure>(_ value: Type) -> (Type.Member) -> Int64? { { value[$0] } }

  @Test func `a counter reads its members`() {
    let counter = Counters.Counter(sample("Counter"))
    let texts = [
      counter.name, counter.title, counter.kind, counter.colour, counter.icon, counter.note, counter.group,
      counter.limits, counter.period,
    ]
    #expect(texts == ["name", "title", "kind", "colour", "icon", "note", "group", "limits", "period"])
    let number = numbers(counter)
    #expect(
      [
        counter.value, counter.start, counter.step, counter.id, counter.decimals, counter.stepDown, counter.minimum,
        counter.maximum, counter.target, counter.every, counter.reachedAt, counter.since, counter.elapsed,
        counter.renewsAt, counter.began,
      ] == [
        number(.value), number(.start), number(.step), number(.id), number(.decimals), number(.stepDown),
        number(.minimum), number(.maximum), number(.target), number(.every), number(.reachedAt), number(.since),
        number(.elapsed), number(.renewsAt), number(.began),
      ])
    #expect(counter.isCurrent && counter.isArchived && counter.isLocked)
    #expect(counter.tags == ["tags"])
    #expect(counter.progress?.object == sample("Progress"))
    let progress = [counter.progress?.done, counter.progress?.left, counter.progress?.percent]
    #expect(progress == [0, 1, 2])
  }

  @Test func `an event reads its members`() {
    let event = Counters.Event(sample("Event"))
    #expect(
      [event.kind, event.counter, event.group, event.formula, event.note] == [
        "kind", "counter", "group", "formula", "note",
      ])
    let number = numbers(event)
    #expect(
      [
        event.sequence, event.time, event.change, event.value, event.undoes, event.id, event.began, event.until,
        event.standing, event.boundary, event.lap, event.batch, event.about,
      ] == [
        number(.sequence), number(.time), number(.change), number(.value), number(.undoes), number(.id),
        number(.began), number(.until), number(.standing), number(.boundary), number(.lap), number(.batch),
        number(.about),
      ])
    #expect(event.isReached && event.isLimited && event.unit == .time)
    #expect([event.cause.producer, event.cause.device, event.cause.gesture] == ["producer", "device", "gesture"])
    let alteration = event.alterations?.first
    #expect([alteration?.field, alteration?.before, alteration?.after] == ["field", "before", "after"])
  }

  @Test func `formulas, groups, totals and changes read their members`() {
    let formula = Counters.Formula(sample("Formula"))
    #expect(
      [
        formula.name, formula.title, formula.formula, formula.display, formula.value, formula.text, formula.colour,
        formula.icon, formula.note,
      ] == ["name", "title", "formula", "display", "value", "text", "colour", "icon", "note"])
    let group = Counters.Group(sample("Group"))
    #expect(
      [group.name, group.title, group.colour, group.icon, group.note] == ["name", "title", "colour", "icon", "note"])
    #expect(formula.id == 2 && group.id == 2)
    let total = Counters.Total(sample("Total"))
    #expect([total.start, total.counts, total.added, total.subtracted, total.net] == [0, 1, 2, 3, -1])
    let change = Counters.Change(sample("Change"))
    #expect(
      [change.verb, change.counter, change.quantity, change.device, change.gesture, change.group]
        == ["verb", "counter", "quantity", "device", "gesture", "group"])
    #expect([change.amount, change.time, change.made] == [2, 3, 6] && change.isAll)
    let each = Counters.CounterTotals(sample("CounterTotals"))
    #expect(each.name == "name" && each.totals == [total] && each.unit == .time)
    let member = Counters.GroupMember(sample("Member"))
    #expect(member.counter.name == "name" && member.share == 1)
  }

  @Test func `units follow from kind and decimals`() {
    #expect(Counters.Counter(["kind": "stopwatch"]).unit == .time)
    #expect(Counters.Counter(["decimals": 2]).unit == .decimal(2))
    #expect(Counters.Event([:]).unit == .things)
    #expect(Counters.Totals(["stopwatches": true]).unit == .time)
  }

  @Test func `what is missing, null or of another type reads as empty`() {
    for object: JSONObject in [
      [:], ["name": nil, "value": nil, "current": nil], ["name": 1, "value": "x", "current": []],
    ] {
      let counter = Counters.Counter(object)
      #expect(counter.name == "" && counter.value == 0 && !counter.isCurrent && counter.target == nil)
      #expect(counter.unit == .things)
    }
    #expect(Counters.Changed(["event": 3]).event == Counters.Event())
    #expect(Counters.Listing(["counters": [1, ["name": "a"], nil]]).counters.map(\.name) == ["a"])
    #expect(Counters.Watched(["event": ["kind": "added"]]).counters == nil)
  }

  @Test func `unknown members and kinds are kept`() {
    let object: JSONObject = ["kind": "doubled", "factor": 2]
    let event = Counters.Event(object)
    #expect(event.kind == "doubled" && event.knownKind == nil && event.object == object)
    #expect(Counters.Event(["kind": "added"]).knownKind == .added)
  }

  @Test func `a member can be set, and removed with nil`() {
    var counter = Counters.Counter(["name": "a", "value": 1])
    counter.isCurrent = true
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
    #expect(event.cause.producer == "tally" && event.alterations?.map(\.field) == ["title"])
    #expect(event.object.count == 5)
  }
}
