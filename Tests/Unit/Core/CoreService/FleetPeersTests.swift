import CoreAPI
import Counting
import JSON
import Linux
import TestKit
import Testing
import Varlink

@testable import Bridge
@testable import CoreService
@testable import Fleet
@testable import Journal

extension `Cores in a fleet` {
  private func id(_ digit: Character) -> String { String(repeating: digit, count: 32) }
  private func writer(_ number: Int) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 64 - digits.utf8.count) + digits
  }
  private func description(_ id: String) -> String { "{\"version\":1,\"id\":\"\(id)\"}" }
  private func definition(_ id: some CustomStringConvertible, _ name: String) -> String {
    "{\"version\":1,\"counter\":\"\(id)\",\"name\":\"\(name)\",\"decimals\":0,\"step\":1,\"start\":0}"
  }
  private func register(_ id: some CustomStringConvertible, _ rows: [String]) -> String {
    "{\"version\":1,\"counter\":\"\(id)\",\"registers\":[\(rows.joined(separator: ","))]}"
  }
  private func shared(_ station: FleetTestStation) throws -> CounterID {
    try #require(station.fleet.member.locals.keys.first)
  }
  private func state(_ station: FleetTestStation) throws -> Counters.FleetReply {
    Counters.FleetReply(try station.fleet.state().parsed())
  }

  @Test func `reports are short enough for other stations`() throws {
    let (first, _) = try Self.pair()
    for number in 0..<300 {
      let counter = String(writer(number).suffix(32))
      let row = "[\"\(writer(number))\",\(Int64.max),\(Int64.max),\(Int64.max),\(Int64.max)]"
      _ = first.hear([.init("door9/reg/a/\(counter)/0", register(counter, [row]))])
    }
    let lengths = first.everything().map(\.payload.utf8.count)
    #expect(lengths.count > 300)
    #expect(lengths.allSatisfy { $0 <= Message.maximumLength })
  }

  @Test func `counts are those of the station that claims their writer now`() throws {
    let (first, _) = try Self.pair()
    let counter = try shared(first)
    func hear(_ name: String, isRetained: Bool) {
      let payload = register(counter, ["[\"\(writer(1))\",3,7,0,3]"])
      _ = first.hear([.init("\(name)/reg/a/\(counter)/0", isRetained: isRetained, payload)])
    }
    func contributions() throws -> [String: Int64] {
      Dictionary(uniqueKeysWithValues: try state(first).stations.map { ($0.name, $0.contribution ?? 0) })
    }
    _ = first.hear([.init("door8/online", isRetained: true, "offline")])
    hear("door8", isRetained: true)
    #expect(try contributions()["door8"] == 7)
    hear("door9", isRetained: false)
    #expect(try contributions()["door9"] == 7)
    #expect(try contributions()["door8"] == 0)
    // What a broker has kept of a name takes nothing from a station that is online.
    _ = first.hear([.init("door9/online", isRetained: true, "online")])
    hear("door8", isRetained: true)
    #expect(try contributions()["door9"] == 7)
  }

  @Test func `a station that is behind lags since the first change that it has not heard was published`() throws {
    let (first, second) = try Self.pair()
    func other() throws -> Counters.FleetStation { try #require(try state(first).stations.last) }
    func exchange() {
      second.learnAll(from: first)
      first.learnAll(from: second)
    }
    _ = try first.perform(add(1))
    exchange()
    #expect(try (other().behind, other().lag) == (0, nil))
    _ = try first.perform(add(1))
    first.commit()
    #expect(try (other().behind, other().lag) == (1, nil))
    _ = first.everything()
    let lag = try #require(try other().lag)
    _ = try first.perform(add(1))
    _ = first.everything()
    #expect(try other().behind == 2)
    #expect(try other().lag ?? 0 > lag)
    exchange()
    #expect(try (other().behind, other().lag) == (0, nil))
    // What an earlier boot has counted.
    _ = try first.perform(add(1))
    first.commit()
    try first.reboot()
    first.learnAll(from: second)
    #expect(try other().behind != 0 && other().lag == nil)
    _ = first.everything()
    #expect(try other().lag != nil)
    exchange()
    #expect(try (other().behind, other().lag) == (0, nil))
  }

  @Test func `a station that comes back knows what the fleet has heard, and waits since its return`() throws {
    let (first, second) = try Self.pair()
    for _ in 0..<3 {
      _ = try second.perform(add(2))
      first.learnAll(from: second)
    }
    try second.leave()
    second.commit()
    try second.fleet.join(broker: "mqtt://localhost", fleet: "venue", station: "door2")
    // That of the first station is before the adoption.
    second.learnAll(from: first)
    let back = Clock.boottime()
    try second.adopt(bringing: false)
    _ = second.everything()
    let counter = try shared(second)
    let row = try #require(second.fleet.member.station.knowledge[CounterPeriod(counter)].registers.first)
    #expect(row.value.counts == 3)
    func report(_ number: Int64) -> String {
      "{\"version\":1,\"counters\":{\"\(counter)\":{\"\(row.key)\":\(number)}}}"
    }
    _ = second.hear([.init("door9/station", "{\"version\":1,\"id\":\"\(counter)\"}"), .init("door9/knows", report(1))])
    let fleet = try state(second)
    #expect(fleet.counters.map(\.unheard) == [0])
    let (heard, behind) = (try #require(fleet.stations.dropFirst().first), try #require(fleet.stations.last))
    #expect((heard.name, heard.behind, heard.lag) == ("door1", 0, nil))
    #expect((behind.name, behind.behind) == ("door9", 3))
    #expect(try #require(behind.lag) * 1000 <= Clock.boottime() - back)
  }

  @Test func `without a connection nobody is said to be online`() throws {
    let (first, _) = try Self.pair()
    _ = first.hear([.init("door2/online", isRetained: true, "online")])
    #expect(try state(first).stations.map(\.online) == [false, nil])
    first.fleet.hear(.init(isConnected: true, trouble: nil))
    #expect(try state(first).stations.map(\.online) == [true, true])
  }

  @Test func `what the bridge said before the station joined is over`() throws {
    let first = try FleetTestStation(boot: "b")
    first.fleet.hear(.init(isConnected: false, trouble: "The core is in no fleet."))
    try first.fleet.join(broker: "mqtt://localhost", fleet: "venue", station: "door1")
    #expect(try state(first).trouble == nil)
  }

  @Test func `what stations claim and have heard is bounded`() throws {
    var peers = FleetPeers()
    var ids = SeededRandom(seed: 1)
    let counter = CounterID.random(using: &ids)
    let own = (0..<200).map { _ in WriterID.random(using: &ids) }
    for number in 0..<FleetPeers.mostRows / 200 + 100 {
      peers.change("door\(number)") { $0.isOnline = true }
      peers.claim((0..<200).map { _ in .random(using: &ids) }, by: "door\(number)", isLive: true)
      for writer in own { peers.hear(5, of: writer, counter, by: "door\(number)") }
    }
    #expect(peers.claims.count == FleetPeers.mostRows)
    let heard = peers.stations.values.reduce(0) { $0 + $1.heard.values.reduce(0) { $0 + $1.count } }
    #expect(heard == FleetPeers.mostRows)
    peers.forget("door0")
    peers.change("door0") { $0.isOnline = true }
    peers.hear(5, of: own[0], counter, by: "door0")
    #expect(peers.stations["door0"]?.heard[counter]?[own[0]] == 5)
  }

  @Test func `invented stations keep no real one out`() throws {
    let (first, _) = try Self.pair()
    let invented = (0..<1100).map { Counters.Publication("ghost\($0)/online", isRetained: true, "online") }
    _ = first.hear(invented)
    _ = first.hear([
      .init("door2/station", isRetained: true, description(id("a"))),
      .init("door2/online", isRetained: true, "offline"),
      .init("door2/def/\(id("d"))", isRetained: true, definition(id("d"), "dogs")),
    ])
    _ = first.hear(invented)
    first.fleet.hear(.init(isConnected: true, trouble: nil))
    var found = try state(first)
    #expect(found.stations.filter { $0.name == "door2" }.map(\.isOnline) == [false])
    #expect(found.offers.map(\.station) == ["door2"])
    #expect(found.stations.count == FleetPeers.mostStations + 1)
    // Of those that say an ID, the last ones stay.
    for number in 0..<FleetPeers.mostStations + 76 {
      _ = first.hear([
        .init("ghost\(number)/station", isRetained: true, description(id("b"))),
        .init("door3/station", isRetained: false, description(id("c"))),
      ])
    }
    found = try state(first)
    #expect(found.stations.contains { $0.name == "door3" })
    #expect(found.stations.count == FleetPeers.mostStations + 1)
  }

  @Test func `a station that will not come back is forgotten by all`() throws {
    let (first, second) = try Self.pair()
    let counter = try shared(first)
    let said: [Counters.Publication] = [
      .init("door9/station", isRetained: true, description(id("a"))),
      .init("door9/def/\(counter)", isRetained: true, definition(counter, "people")),
      .init("door9/def/\(id("d"))", isRetained: true, definition(id("d"), "dogs")),
      .init("door9/reg/a/\(counter)/0", isRetained: true, register(counter, ["[\"\(writer(1))\",3,7,0,3]"])),
      .init("door9/online", isRetained: true, "offline"),
    ]
    for station in [first, second] { _ = station.hear(said) }
    first.fleet.hear(.init(isConnected: true, trouble: nil))
    var replies = 0
    let messages = try first.fleet.forgetStation("door9") { if case .success = $0 { replies += 1 } }
    #expect(
      Set(messages.map(\.topic)) == Set(said.map(\.topic)).subtracting(["door9/reg/a/\(counter)/0"]))
    #expect(messages.allSatisfy { $0.isRetained && $0.payload.isEmpty })
    // Nothing is forgotten that the broker has not taken.
    #expect(replies == 0 && first.fleet.peers.stations["door9"] != nil)
    let live = messages.map { Counters.Publication($0.topic, isRetained: false, "") }
    _ = second.hear(live)
    _ = first.hear(live.filter { $0.topic == "door9/online" })
    #expect(replies == 1 && first.fleet.removals.isEmpty)
    for station in [first, second] {
      // The broker still holds its counts.
      _ = station.hear(said.filter { $0.topic.hasPrefix("door9/reg/") })
      let state = try state(station)
      #expect(!state.stations.contains { $0.name == "door9" } && state.offers.isEmpty)
      #expect(state.others == 7)
      _ = station.hear(said)
      #expect(try self.state(station).stations.contains { $0.name == "door9" && $0.contribution == 7 })
    }
  }

  @Test func `a station that cannot be forgotten is not`() throws {
    let (first, _) = try Self.pair()
    var sentences: [String] = []
    func forget(_ name: String, at now: Int64 = 0) {
      do {
        _ = try first.fleet.forgetStation(name, at: now) { if case .failure(let error) = $0 { note(error) } }
      } catch { note(error) }
    }
    func note(_ error: any Error) { sentences.append(VarlinkError(error).description) }
    _ = first.hear([
      .init("door8/online", isRetained: true, "online"), .init("door9/online", isRetained: true, "offline"),
    ])
    forget("door9")
    first.fleet.hear(.init(isConnected: true, trouble: nil))
    for name in ["door1", "door8", "", "door7"] { forget(name) }
    forget("door9")
    forget("door9")
    let words = [
      "not connected to the broker", "is this station", "is online", "no other station", "no other station",
      "being forgotten already",
    ]
    #expect(sentences.count == words.count)
    for (sentence, words) in zip(sentences, words) { #expect(sentence.contains(words)) }
    // A stranger says what removes nothing.
    _ = first.hear([.init("door8/online", isRetained: false, "")])
    sentences = []
    first.fleet.expireRemovals(at: FleetService.removalTime - 1)
    #expect(sentences.isEmpty)
    first.fleet.expireRemovals(at: FleetService.removalTime)
    first.fleet.expireRemovals(at: 2 * FleetService.removalTime)
    #expect(sentences.count == 1)
    #expect(
      sentences.first?.contains(
        "for t in station online; do mosquitto_pub -h localhost -p 1883 -u USER -P PASSWORD -r -n -t ") == true)
    #expect(sentences.first?.contains("tallymark/venue/door9/$t; done") == true)
    #expect(first.fleet.peers.stations["door9"] != nil && first.fleet.removals.isEmpty)
    forget("door9")
    try first.leave()
    #expect(sentences.last?.contains("has left the fleet") == true && first.fleet.removals.isEmpty)
  }

  @Test func `a station that leaves while there is no connection is gone at the next one`() throws {
    let (first, _) = try Self.pair()
    let counter = try shared(first)
    func hear(_ name: String, isThere: Bool) {
      let described: [Counters.Publication] = [
        .init("\(name)/station", isRetained: true, description(id(name.last ?? "a"))),
        .init("\(name)/online", isRetained: true, "online"),
      ]
      let counts = Counters.Publication(
        "\(name)/reg/\(writer(1).prefix(16))/\(counter)/0", isRetained: true, register(counter, []))
      _ = first.hear((isThere ? described : []) + [counts])
    }
    func online() throws -> [String: Bool?] {
      try state(first).stations.reduce(into: [:]) { if !$1.isOwn { $0[$1.name] = .some($1.isOnline) } }
    }
    first.fleet.hear(.init(isConnected: true, trouble: nil))
    for name in ["doora", "doorb"] { hear(name, isThere: true) }
    #expect(try online()["doora"] == true && online()["doorb"] == true)
    first.fleet.hear(.init(isConnected: false, trouble: "The broker is away."))
    first.fleet.hear(.init(isConnected: true, trouble: nil))
    hear("doora", isThere: true)
    hear("doorb", isThere: false)
    #expect(try online()["doora"] == true)
    #expect(try online()["doorb"] == nil)
  }

  @Test func `a message that is ignored is named with its topic until that is removed`() throws {
    let (first, _) = try Self.pair()
    func problems() -> [String] { first.fleet.bridge.report?.problems ?? [] }
    let topics = ["door8/station", "door9/def/x", "door9/reg/a/b/0", "door9/def/'$(halt)'", "DOOR/station"]
    for topic in topics { _ = first.learn([.init(topic, isRetained: true, "{")]) }
    let command = "mosquitto_pub -h localhost -p 1883 -u USER -P PASSWORD -r -n -t "
    for (problem, topic) in zip(problems(), topics) {
      let end = topic.contains("$") ? "Its topic is tallymark/venue/\(topic)." : "\(command)'tallymark/venue/\(topic)'"
      #expect(problem.hasSuffix(end))
    }
    // The bridge passes nothing on that is in no station's topic.
    #expect(problems().count == 4)
    for topic in ["door9/def/x", "DOOR/station"] { _ = first.learn([.init(topic, "")]) }
    #expect(problems().count == 3)
    // A station that is forgotten, or that leaves.
    _ = first.learn([.init("door9/station", "")])
    #expect(problems().count == 1 && problems().first?.contains("door8") == true)
    // It is not the message that is wrong.
    _ = first.learn([.init("door8/station", ""), .init("door8/station", "{\"version\":99}")])
    #expect(problems().count == 1 && problems().first?.hasSuffix("upgrade this station.") == true)
  }

  @Test func `a counter that stations describe in different ways is not adopted`() throws {
    var peers = FleetPeers()
    let counter = try #require(CounterID(id("c")))
    func offer(_ start: Int64, by station: String) {
      peers.offers.learn(
        .init(id: counter, name: "people", decimals: 0, settings: [.start: .integer(start)], station: station))
    }
    offer(1_000, by: "aaa")
    #expect(try peers.offers.offer(named: "people", except: []).station == "aaa")
    offer(0, by: "door1")
    for name in ["people", id("c")] {
      let refusal = #expect(throws: CountingError.self) { try peers.offers.offer(named: name, except: []) }
      #expect(try #require(refusal).message.contains("“aaa” and “door1”"))
    }
    peers.offers.withdraw(counter, by: "aaa")
    #expect(try peers.offers.offer(named: "people", except: []).settings[.start] == .integer(0))
  }

  @Test func `a title that no counter can have prevents no adoption`() throws {
    let station = try Self.station("door1")
    for (digit, title) in [("a", String(repeating: "x", count: 201)), ("b", ""), ("c", "x\u{1}")] {
      let message: JSONObject = [
        "version": 1, "counter": .string(id(Character(digit))), "name": .string("people-\(digit)"),
        "title": .string(title), "decimals": 0, "step": 1, "start": 0,
      ]
      _ = station.hear([.init("door2/def/\(id(Character(digit)))", isRetained: true, message.description)])
      try station.adopt("people-\(digit)", isAdministrators: true)
      #expect(station.counter("people-\(digit)")?.title == "people-\(digit)")
    }
  }

  @Test func `a station takes another name without the URL of its broker`() throws {
    let station = try FleetTestStation(boot: "b")
    for (broker, fleet) in [(nil, "venue"), ("mqtt://host", nil)] as [(String?, String?)] {
      #expect(throws: CountingError.self) { try station.fleet.join(broker: broker, fleet: fleet, station: "door1") }
    }
    try station.fleet.join(broker: "mqtt://u:secret@host", fleet: "venue", station: "door1")
    try station.fleet.join(broker: nil, fleet: nil, station: "door2")
    #expect(station.fleet.membership?.station == "door2")
    #expect(station.fleet.membership?.fleet == "venue")
    #expect(station.fleet.membership?.broker.text == "mqtt://u:secret@host")
  }

  @Test func `a station does not take the name of another one that is online`() throws {
    let (first, _) = try Self.pair()
    _ = first.hear([.init("door9/online", isRetained: true, "online")])
    #expect(throws: CountingError.self) { try first.fleet.join(broker: nil, fleet: nil, station: "door9") }
    #expect(first.fleet.membership?.station == "door1")
    _ = first.hear([.init("door9/online", isRetained: true, "offline")])
    try first.fleet.join(broker: nil, fleet: nil, station: "door9")
    // Its own name is no other's.
    try first.fleet.join(broker: "mqtt://host", fleet: nil, station: "door9")
    #expect(first.fleet.membership?.station == "door9")
  }

  @Test func `what the broker has kept of a name is no second station`() throws {
    let (first, _) = try Self.pair()
    first.fleet.hear(.init(isConnected: true))
    for name in ["door1", "door9"] {
      for digit in ["a", "b"] as [Character] {
        _ = first.hear([.init("\(name)/station", isRetained: true, description(id(digit)))])
      }
    }
    #expect(try state(first).object["trouble"] == nil)
    _ = first.hear([.init("door1/station", isRetained: false, description(id("a")))])
    #expect(try state(first).object["trouble"]?.string?.contains("door1") == true)
    #expect(first.problems.isDescribing)
  }

  @Test func `each clash of names is told, and its end`() throws {
    let (first, _) = try Self.pair()
    func said(_ messages: [Counters.Publication]) -> [String] { first.learn(messages).problems }
    for name in ["door1", "door9"] {
      let clash = ["a", "b"].map { Counters.Publication("\(name)/station", isRetained: false, description(id($0))) }
      let farewell = Counters.Publication("\(name)/station", isRetained: false, "")
      for _ in 0..<2 {
        #expect(said(clash) == [first.problems.clash(over: name)])
        #expect(said([farewell, farewell]) == [StationProblems.clashEnded(over: name)])
      }
      // One after the other has the name.
      #expect(name == "door1" || said([clash[0], farewell, clash[1]]).isEmpty)
    }
  }

  @Test func `a copy that takes a name before both have counted does not hide its original`() throws {
    let (first, second) = try Self.pair()
    _ = try first.perform(add(1))
    let copy = try FleetTestStation(copyOf: try first.image(), boot: "copy")
    try copy.fleet.join(broker: nil, fleet: nil, station: "door3")
    #expect(copy.fleet.membership?.id != first.fleet.membership?.id)
    func say(_ station: FleetTestStation, _ online: String) {
      guard let name = station.fleet.membership?.station else { return }
      _ = second.hear(station.everything() + [.init("\(name)/online", isRetained: true, online)])
    }
    say(first, "online")
    say(copy, "online")
    say(first, "offline")
    second.fleet.hear(.init(isConnected: true, trouble: nil))
    #expect(try state(second).stations.map(\.name) == ["door2", "door1", "door3"])
    #expect(try state(second).stations.map(\.online) == [true, false, true])
    // The same after a start: the broker says again what it holds, in any order.
    second.stop()
    try second.start()
    say(copy, "online")
    say(first, "offline")
    #expect(second.fleet.peers.stations["door1"]?.isOnline == false)
  }

  @Test(arguments: [true, false])
  func `a station that took another name while this one was away is no second one`(isDescribedFirst: Bool) throws {
    let (first, second) = try Self.pair()
    _ = try second.perform(add(4))
    // The first save after a start waits for nothing.
    first.stop()
    try first.start()
    first.learnAll(from: second)
    _ = try first.perform(add(1))
    first.stop()
    try first.start()
    #expect(first.fleet.peers.stations.keys.sorted() == ["door2"])
    try second.fleet.join(broker: nil, fleet: nil, station: "door3")
    let said = second.everything()
    let described = said.filter { $0.topic == "door3/station" }
    let rest = said.filter { $0.topic != "door3/station" }
    _ = first.hear(isDescribedFirst ? described + rest : rest + described)
    #expect(first.fleet.peers.stations.keys.sorted() == ["door3"])
    #expect(try state(first).stations.map(\.contribution) == [1, 4])
  }

  @Test(arguments: [true, false])
  func `what the broker still has of a former name takes no counts from a station`(isFormerFirst: Bool) throws {
    let (first, _) = try Self.pair()
    let counter = try shared(first)
    let described = Counters.Publication("door9/station", isRetained: true, description(id("a")))
    let payload = register(counter, ["[\"\(writer(1))\",3,7,0,3]"])
    _ = first.hear([described, .init("door9/reg/a/\(counter)/0", isRetained: false, payload)])
    _ = try first.perform(add(1))
    for _ in 0..<2 {
      first.stop()
      try first.start()
      let names = isFormerFirst ? ["west", "door9"] : ["door9", "west"]
      _ = first.hear(
        names.map { .init("\($0)/reg/a/\(counter)/0", isRetained: true, payload) } + [described])
      _ = try first.perform(add(1))
      #expect(try state(first).stations.map(\.contribution).last == 7)
    }
    // If that is a station, it says so itself.
    _ = first.hear([.init("west/reg/a/\(counter)/0", isRetained: false, payload)])
    #expect(try state(first).stations.filter { $0.name == "west" }.map(\.contribution) == [7])
  }

  @Test func `after a failed commit only the claims in it are saved again`() throws {
    var (peers, ids) = (FleetPeers(), SeededRandom(seed: 1))
    let writers = (0..<3).map { _ in WriterID.random(using: &ids) }
    peers.claim(writers, by: "door9", isLive: true)
    peers.saveClaims(of: writers[0...1])
    peers.didSaveClaims()
    peers.didCommit()
    peers.saveClaims(of: writers[2...])
    peers.didSaveClaims()
    #expect(peers.unsavedClaims.isEmpty)
    peers.saveAgain()
    #expect(peers.isChanged && peers.unsavedClaims == [writers[2]])
  }

  @Test func `a name of which the broker has counters only can be forgotten`() throws {
    let (first, _) = try Self.pair()
    _ = first.hear([.init("ghost/def/\(id("d"))", isRetained: true, definition(id("d"), "dogs"))])
    first.fleet.hear(.init(isConnected: true, trouble: nil))
    let messages = try first.fleet.forgetStation("ghost") { _ in }
    #expect(Set(messages.map(\.topic)) == ["ghost/def/\(id("d"))", "ghost/station", "ghost/online"])
    _ = first.hear([.init("ghost/online", isRetained: false, "")])
    #expect(first.fleet.peers.offers.all.isEmpty)
  }

  @Test func `the journal remembers the stations, and whose the counts are`() throws {
    let (first, _) = try Self.pair()
    let counter = try shared(first)
    let row = "[\"\(writer(1))\",3,7,0,3]"
    let counts = Counters.Publication("door9/reg/a/\(counter)/0", isRetained: false, register(counter, [row]))
    func restart() throws -> [Counters.FleetStation] {
      first.stop()
      try first.start()
      return try state(first).stations.filter { $0.name == "door9" }
    }
    // The first save after a start waits for nothing.
    _ = try restart()
    _ = first.hear([.init("door9/station", isRetained: false, description(id("a"))), counts])
    var found = try restart()
    #expect(found.map(\.id) == [id("a")] && found.first?.contribution == 7 && found.first?.lastSeen != nil)
    // Nobody knows more while the broker is away, and soon after a connection it is missing.
    #expect(found.map(\.online) == [nil])
    first.fleet.bridge.hear(.init(isConnected: true, trouble: nil), at: Clock.boottime() - FleetService.silence)
    #expect(try state(first).stations.last?.isOnline == false)
    _ = first.hear([.init("door9/online", isRetained: true, "online")])
    #expect(try state(first).stations.last?.isOnline == true)
    // It has left while this core was away: the broker has its counts, and not who it is.
    found = try restart()
    #expect(found.count == 1)
    _ = first.hear([.init(counts.topic, isRetained: true, counts.payload)])
    #expect(!first.fleet.peers.stations.keys.contains("door9"))
    #expect(try restart().isEmpty)
    #expect(try state(first).object["others"]?.int == 7)
    try first.stopAndVerify()
  }

  @Test func `a message about a station is no commit of its own, and a station that left is`() throws {
    let (first, _) = try Self.pair()
    func restart() throws -> [String] {
      first.stop()
      try first.start()
      return first.fleet.peers.stations.keys.sorted()
    }
    let before = try restart()
    let said = Counters.Publication("door9/station", isRetained: false, description(id("a")))
    _ = first.hear([said])
    #expect(!first.fleet.peers.hasForgotten)
    #expect(try restart() == before)
    _ = first.hear([said])
    _ = try first.perform(add(1))
    #expect(try restart() == (before + ["door9"]).sorted())
    _ = first.hear([.init("door9/station", isRetained: false, "")])
    #expect(first.fleet.peers.hasForgotten)
    #expect(try restart() == before)
    // What a commit that failed has lost is saved with the next one.
    _ = first.hear([said])
    let full = StoreError(.full, "The disk is full.")
    _ = try first.perform(add(1))
    try first.fleet.prepareCommit()
    #expect(!first.fleet.peers.isChanged)
    #expect(throws: full) { try first.core?.storing { () throws(StoreError) in throw full } }
    #expect(first.fleet.peers.isChanged)
    // A commit of the end that fails leaves the journal as it is.
    _ = try restart()
    _ = first.hear([said])
    _ = try first.perform(add(1))
    #expect(try restart() == (before + ["door9"]).sorted())
    try first.leave()
    #expect(throws: full) { try first.core?.storing { () throws(StoreError) in throw full } }
    #expect(first.fleet.peers.known.map(\.name).sorted() == (before + ["door9"]).sorted())
    first.fleet.tryJournal()
    #expect(try restart() == (before + ["door9"]).sorted())
    try first.leave()
    #expect(try restart().isEmpty)
  }

  @Test func `counts that the broker holds make no station`() throws {
    let (first, _) = try Self.pair()
    let counter = try shared(first)
    let row = "[\"\(writer(1))\",3,7,0,3]"
    _ = first.hear([.init("door9/reg/a/\(counter)/0", isRetained: true, register(counter, [row]))])
    #expect(try state(first).stations.map(\.name) == ["door1"])
    #expect(try state(first).object["others"]?.int == 7)
    _ = first.hear([.init("door9/station", isRetained: true, description(id("a")))])
    #expect(try state(first).stations.map(\.contribution) == [0, 7])
    // It leaves, and removes what it has told in any order.
    _ = first.hear([
      .init("door9/station", isRetained: false, ""), .init("door9/def/\(counter)", isRetained: false, ""),
    ])
    #expect(try state(first).stations.map(\.name) == ["door1"])
  }

  @Test func `a renamed station removes what the broker has under the former name`() throws {
    let (first, _) = try Self.pair()
    _ = try first.perform(add(3))
    let former = Set(first.everything().filter(\.isRetained).map(\.topic))
    #expect(former.contains { $0.hasPrefix("door1/reg/") })
    try first.fleet.join(broker: "mqtt://localhost", fleet: "venue", station: "door3")
    let removed = first.fleet.formerMessages()
    #expect(former.isSubset(of: removed.map(\.topic)))
    #expect(removed.map(\.topic).contains("door1/online"))
    #expect(removed.allSatisfy { $0.payload.isEmpty && $0.isRetained && $0.topic.hasPrefix("door1/") })
    // Another station has the name by now.
    _ = first.hear([.init("door1/online", isRetained: true, "online")])
    #expect(first.fleet.formerMessages().isEmpty)
  }

  @Test func `a station that comes later joins also through a broker that delivers nothing it holds`() throws {
    let (first, second) = try Self.pair()
    _ = try first.perform(add(3))
    first.learnAll(from: second)
    let third = try Self.station("door3")
    func live(_ messages: [Counters.Publication]) -> [Counters.Publication] {
      messages.map { .init($0.topic, isRetained: false, $0.payload) }
    }
    _ = first.hear(live(third.everything()))
    third.learn(live(first.fleet.report(.init(isAll: true, hasSettings: true))), from: first)
    first.fleet.hear(.init(isConnected: true, trouble: nil))
    third.fleet.hear(.init(isConnected: true, trouble: nil))
    #expect(try state(third).offers.map(\.name) == ["people"])
    #expect(try state(third).stations.map(\.online) == [true, true])
    try third.adopt()
    #expect(third.counter()?.value == 3)
    // The report after a connection does not say again what the connection has said.
    _ = first.everything()
    #expect(!first.fleet.report().contains { $0.topic.hasPrefix("door1/def/") })
    // Its last will ends that, and so does the broker that says so.
    _ = first.hear([.init("door3/online", isRetained: false, "offline")])
    #expect(try state(first).stations.last?.online == false)
    _ = first.hear(live(third.fleet.everything()).filter { $0.topic.contains("/reg/") })
    #expect(try state(first).stations.last?.online == false)
  }

  @Test func `a name that another station shares is adopted, once`() throws {
    let (first, second) = try Self.pair()
    let third = try Self.station("door3")
    _ = try third.perform(.change(.create(name: "people", decimals: 0, isStopwatch: false, [:])))
    third.learnAll(from: first)
    #expect {
      try third.fleet.share("people")
    } throws: {
      "\($0)".contains("tally fleet adopt people")
    }
    let request = { (change: Change) in Request(.change(change), time: 1, cause: Cause(producer: "test")) }
    for name in ["people", try shared(second).description] {
      #expect {
        try second.fleet.adopt(name, bringing: nil, as: nil, request)
      } throws: {
        "\($0)".contains("adopted already")
      }
    }
  }

  @Test func `an offer lasts while any station makes it`() throws {
    let (first, second) = try Self.pair()
    let third = try Self.station("door3")
    _ = try third.perform(.change(.create(name: "people", decimals: 0, isStopwatch: false, [:])))
    for other in [first, second] { third.learnAll(from: other) }
    #expect(try state(third).offers.map(\.station) == ["door1"])
    let farewell = ["station", "def/\(try shared(first))"]
    _ = third.hear(farewell.map { .init("door1/\($0)", isRetained: true, "") })
    #expect(try state(third).offers.map(\.station) == ["door2"])
    #expect(throws: CountingError.self) { try third.fleet.share("people") }
    let request = { (change: Change) in Request(.change(change), time: 1, cause: Cause(producer: "test")) }
    #expect(try third.fleet.adopt("people", bringing: false, as: nil, request).id == shared(second))
    _ = third.hear([.init("door2/def/\(try shared(second))", isRetained: true, "")])
    #expect(third.fleet.peers.offers.all.isEmpty)
  }

  @Test func `offers are bounded, and leave no trace`() {
    var (peers, ids) = (FleetPeers(), SeededRandom(seed: 1))
    let counters = (0..<2000).map { _ in CounterID.random(using: &ids) }
    for id in counters {
      for number in 0..<20 {
        let station = "door\(number)"
        peers.change(station) { $0.isOnline = true }
        peers.offers.learn(.init(id: id, name: "people", decimals: 0, settings: [:], station: station))
      }
    }
    #expect(peers.offers.all.count <= ReplicaStore.maximumCounters)
    let stations = (0..<20).map { "door\($0)" }
    #expect(stations.reduce(0) { $0 + peers.offers.counters(offeredBy: $1).count } == FleetOffers.most)
    for station in stations { peers.forget(station) }
    #expect(peers.offers.all.isEmpty)
    peers.offers.learn(.init(id: counters[1999], name: "dogs", decimals: 0, settings: [:], station: "door0"))
    #expect(peers.offers.all.map(\.name) == ["dogs"])
  }

  @Test(arguments: [(Int64.max, Int64(0)), (0, .max)])
  func `absurd numbers have a remedy, which works`(added: Int64, subtracted: Int64) throws {
    let (first, _) = try Self.pair()
    _ = try first.perform(add(3))
    let counter = try shared(first)
    let rows = (1...3).map { "[\"\(writer($0))\",\(Int64.max),\(added),\(subtracted),1]" }
    _ = first.hear([.init("door9/reg/a/\(counter)/0", register(counter, rows))])
    first.commit()
    #expect(try state(first).object["trouble"]?.string?.contains("tally reset people") == true)
    _ = try first.perform(.change(.reset(.one(.named("people")), isConfirmed: true)))
    first.commit()
    #expect(first.counter()?.value == 0)
    #expect(try state(first).object["trouble"] == nil)
    _ = try first.perform(add(1))
    try first.stopAndVerify()
  }
}
