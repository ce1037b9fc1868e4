import CounterService
import CountersAPI
import Counting
import Testing
import Varlink

/// Compares the model with the interface's description.
@Suite struct ModelTests {
  private let interface: Interface

  init() throws { interface = try Interface(CountersInterface.description) }

  @Test func `methods are those of the interface`() {
    #expect(interface.name == Counters.interface)
    #expect(Set(Counters.Method.allCases.map(\.rawValue)) == Set(interface.methods.keys))
    #expect(Counters.Method.add.qualifiedName == "org.tallymark.Counters.Add")
  }

  @Test func `types have the members of the interface`() {
    let types: [String: [String]] = [
      "Counter": members(Counters.Counter.self), "Formula": members(Counters.Formula.self),
      "Progress": members(Counters.Progress.self), "Group": members(Counters.Group.self),
      "Alteration": members(Counters.Alteration.self), "Cause": members(Counters.Cause.self),
      "Event": members(Counters.Event.self), "Change": members(Counters.Change.self),
      "Member": members(Counters.GroupMember.self), "Total": members(Counters.Total.self),
      "CounterTotals": members(Counters.CounterTotals.self), "Publication": members(Counters.Publication.self),
      "StationCounts": members(Counters.StationCounts.self), "FleetStation": members(Counters.FleetStation.self),
      "SharedCounter": members(Counters.SharedCounter.self), "Offer": members(Counters.Offer.self),
    ]
    #expect(Set(types.keys) == Set(interface.types.keys))
    for (name, members) in types { expect(members, fields(interface.types[name]), name) }
  }

  @Test func `replies have the members of the interface`() throws {
    var replies: [Counters.Method: [String]] = [
      .list: members(Counters.Listing.self), .get: members(Counters.Found.self),
      .groups: members(Counters.GroupList.self), .overview: members(Counters.Overview.self),
      .history: members(Counters.EventPage.self), .totals: members(Counters.Totals.self),
      .statistics: members(Counters.Statistics.self), .past: members(Counters.PastValues.self),
      .watch: members(Counters.Watched.self), .export: members(Counters.Exported.self),
      .import: members(Counters.Imported.self), .open: members(Counters.Opened.self),
      .deliver: members(Counters.Delivered.self), .fleet: members(Counters.FleetState.self),
      .joinFleet: members(Counters.Done.self), .leaveFleet: members(Counters.Done.self),
      .forgetStation: members(Counters.Done.self),
      .reportFleet: members(Counters.Done.self), .shareCounter: members(Counters.Shared.self),
      .adoptCounter: members(Counters.Adopted.self), .linkFleet: members(Counters.Linked.self),
      .learnFleet: members(Counters.Learned.self),
    ]
    for method in Counters.Method.allCases where replies[method] == nil {
      replies[method] = members(Counters.Changed.self)
    }
    for (method, members) in replies {
      expect(members, interface.methods[method.rawValue]?.output, method.rawValue)
    }
    let statistics = try #require(interface.methods["Statistics"]?.output)
    expect(members(Counters.Gap.self), fields(statistics.first { $0.name == "gap" }?.type), "gap")
    let open = try #require(interface.methods["Open"]?.output)
    expect(members(Counters.DeliveryNumber.self), fields(open.first { $0.name == "last" }?.type), "last")
    let past = try #require(interface.methods["Past"]?.output)
    expect(members(Counters.PastValue.self), fields(past.first { $0.name == "values" }?.type), "values")
    expect(members(Counters.PastFormula.self), fields(past.first { $0.name == "formulas" }?.type), "formulas")
  }

  @Test func `the verbs of deliveries are documented`() throws {
    let change = try #require(interface.description.split(separator: "type Change (").last)
    let line = try #require(change.split(separator: "\n").first { $0.contains("#") })
    for verb in Counters.Change.Verb.allCases { #expect(line.contains(verb.rawValue)) }
  }

  // MARK: Requests

  /// For each method requests that state all of its parameters.
  private static func requests() -> [(Counters.Method, JSONObject)] {
    var requests: [(Counters.Method, JSONObject)] = []
    func state<Reply>(_ request: Counters.Request<Reply>) { requests.append((request.method, request.parameters)) }
    func make(_ request: Counters.Request<Counters.Changed>) {
      state(request.caused(by: .init(producer: "test", device: "pedal", gesture: "press")))
    }
    let filter = Counters.EventFilter(
      counter: "a", counters: ["b"], id: 1, producer: "p", device: "d", gesture: "g", from: 1, until: 2)
    state(.list)
    state(.get("a"))
    state(.groups)
    state(.list(["a"]))
    state(.overview(group: "g"))
    state(.history(before: 9, limit: 5, filter))
    state(.history(after: 9, limit: 5, filter))
    state(.totals(counter: "a", counters: ["b"], bounds: [1, 2], each: true, own: true))
    state(.statistics(counter: "a", counters: ["b"], from: 1, until: 2, own: true))
    state(.past(counters: ["a"], time: 1))
    state(.watch(counters: ["a"]))
    state(.export(after: 1))
    state(.import([["tallymark": 1]], clash: .merge, isTrial: true).caused(by: .init(producer: "test")))
    state(.import(part: [["tallymark": 1]]))
    state(.open(producer: "p"))
    state(.fleet(brief: true))
    state(.joinFleet(broker: "mqtt://host", fleet: "f", station: "s"))
    state(.leaveFleet)
    state(.forgetStation("s"))
    state(.shareCounter("a"))
    state(.adoptCounter("a", bring: true, as: "b").caused(by: .init(producer: "test")))
    state(.linkFleet)
    state(.learnFleet([.init("s/station", isRetained: true, "{}")]))
    state(.reportFleet(isConnected: false, trouble: "t"))
    var change = Counters.Change()
    change.verb = Counters.Change.Verb.add.rawValue
    (change.counter, change.amount, change.quantity, change.time) = ("a", 1, "1", 1)
    (change.device, change.gesture, change.made, change.group, change.isAll) = ("d", "g", 1, "g", true)
    state(.deliver(producer: "p", epoch: 1, sequence: 1, [change]))
    make(.add("a", amount: 1, quantity: "1", time: 1))
    make(.subtract("a", amount: 1, quantity: "1", time: 1))
    make(.correct("a", value: 1, quantity: "1"))
    for scope: Counters.Scope in [.one("a"), .group("g"), .all] {
      make(.reset(scope, isConfirmed: true, by: "/dev/pts/1"))
    }
    make(.select("a"))
    make(.next(groups: true))
    make(.previous(groups: true))
    for verb in Counting.Change.StopwatchVerb.allCases {
      for scope in [Counters.Scope.one("a"), .group("g"), .all] { make(.clock(scope, verb)) }
    }
    make(.note(1, "text"))
    make(.undo(counter: "a"))
    make(.undo(event: 3))
    make(.redo(counter: "a"))
    let looks: Settings = [.title: .text("t"), .colour: .text("red"), .icon: .text("i"), .note: .text("n")]
    var settings = looks
    for field in [Field.start, .step, .stepDown, .minimum, .maximum, .target, .every] { settings[field] = .integer(1) }
    for field in [Field.limits, .period, .group] { settings[field] = .text("x") }
    settings[.tags] = .text("a b")
    make(.create("a", decimals: 2, isStopwatch: true, settings))
    settings[.archived] = .integer(1)
    let cleared = { (settings: Settings) in settings.merging([.name: .text("b")]) { $1 } }
    make(.set("a", cleared(settings)))
    make(.set("a", [.note: .none]))
    make(.lock("a"))
    make(.unlock("a"))
    for place: Counters.Place in [.first, .last, .before("b"), .after("b")] {
      make(.move("a", to: place, group: "g"))
      make(.moveGroup("g", to: place))
    }
    make(.remove("a"))
    make(.createGroup("g", looks))
    make(.setGroup("g", cleared(looks)))
    make(.setGroup("g", [.note: .none]))
    make(.removeGroup("g"))
    var formula = looks.merging([.formula: .text("1"), .display: .text("number"), .group: .text("g")]) { $1 }
    make(.createFormula("f", formula))
    formula[.archived] = .integer(1)
    make(.setFormula("f", cleared(formula)))
    make(.setFormula("f", [.note: .none]))
    return requests
  }

  typealias ChangeRequest = Counters.Request<Counters.Changed>

  @Test func `requests have the parameters of the interface, of its types`() throws {
    var stated: [String: Set<String>] = [:]
    for (method, parameters) in Self.requests() {
      #expect(throws: Never.self, "\(method.rawValue) \(parameters)") {
        try interface.validate(call: method.rawValue, parameters)
      }
      stated[method.rawValue, default: []].formUnion(parameters.map(\.key))
    }
    #expect(Set(stated.keys) == Set(interface.methods.keys))
    for (name, method) in interface.methods {
      #expect(stated[name] == Set(method.input.map(\.name)), "\(name)")
    }
  }

  @Test func `a parameter that is not stated is left out`() {
    let requests = [ChangeRequest.add(nil), .move("a", to: .last), .undo(), .create("a")]
    #expect(requests.map(\.parameters.count) == [0, 1, 0, 1])
    #expect(Counters.Request.watch().parameters.isEmpty)
  }

  @Test(
    arguments: [
      (.add("a", amount: 2, time: 9), ["name": "a", "amount": 2, "time": 9]),
      (.subtract("a", quantity: "1.5"), ["name": "a", "quantity": "1.5"]),
      (.correct("a", quantity: "7"), ["name": "a", "quantity": "7"]), (.correct(nil, value: 7), ["value": 7]),
      (.reset(.one(nil), isConfirmed: false), ["confirmed": false]),
      (.reset(.group("g"), isConfirmed: true), ["group": "g", "confirmed": true]),
      (.reset(.all, isConfirmed: true), ["all": true, "confirmed": true]),
      (.move("a", to: .before("b")), ["name": "a", "before": "b"]),
      (.move("a", to: .after("b")), ["name": "a", "after": "b"]),
      (.move("a", to: .first, group: ""), ["name": "a", "first": true, "group": ""]),
      (.moveGroup("g", to: .last), ["name": "g"]), (.note(5, ""), ["sequence": 5, "text": ""]),
      (.create("a", decimals: 2), ["name": "a", "decimals": 2]),
      (.create("a", isStopwatch: true), ["name": "a", "kind": "stopwatch"]),
    ] as [(ChangeRequest, JSONObject)])
  func `a change states what it was made of`(request: ChangeRequest, parameters: JSONObject) {
    #expect(request.parameters == parameters)
  }

  @Test func `questions state what they were made of`() {
    let filter = Counters.EventFilter(device: "pedal", from: 1, until: 2)
    #expect(
      Counters.Request.history(before: 9, limit: 5, filter).parameters
        == ["device": "pedal", "from": 1, "until": 2, "before": 9, "limit": 5])
    #expect(Counters.Request.history(after: 9).parameters == ["after": 9])
    #expect(
      Counters.Request.statistics(counter: "a", from: 1, until: 2).parameters == [
        "counter": "a", "from": 1, "until": 2,
      ])
    #expect(
      Counters.Request.totals(counters: ["a"], bounds: [1, 2]).parameters == ["counters": ["a"], "bounds": [1, 2]])
    #expect(
      Counters.Request.import(["l"], clash: .keep, isTrial: false).parameters == [
        "entries": ["l"], "clash": "keep", "trial": false,
      ])
  }

  @Test func `settings keep their types, and cleared ones are named`() {
    let settings: Settings = [
      .name: .text("b"), .tags: .text("x y"), .archived: .integer(0), .target: .integer(5), .note: .none,
    ]
    #expect(
      ChangeRequest.set("a", settings).parameters == [
        "name": "a", "newName": "b", "tags": ["x", "y"], "archived": false, "target": 5, "clear": ["note"],
      ])
  }

  // MARK: Helpers

  private func members<Type: Structure>(_: Type.Type) -> [String] { Type.Member.allCases.map(\.rawValue.text) }

  private func fields(_ type: Interface.ValueType?) -> [Interface.Field]? {
    switch type {
    case .structure(let fields): fields
    case .nullable(let type), .array(let type): fields(type)
    default: nil
    }
  }

  private func expect(
    _ members: [String], _ fields: [Interface.Field]?, _ name: String, at location: SourceLocation = #_sourceLocation
  ) {
    #expect(Set(members) == Set((fields ?? []).map(\.name)), "\(name)", sourceLocation: location)
  }
}
