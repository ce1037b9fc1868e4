import CoreAPI
import Fleet
import JSON
import Testing

@testable import Bridge

@Suite struct `The bridge` {
  private static let counter = String(repeating: "c", count: 32)
  private static let writer = String(repeating: "a", count: 64)

  private func read(_ topic: String, _ payload: String, isRetained: Bool = false) -> Counters.StationMessage? {
    try? .init(Received(topic, Array(payload.utf8), isRetained: isRetained))
  }

  @Test func `reads each kind of message`() throws {
    let head = #""version":1,"counter":"\#(Self.counter)""#
    let station = try #require(read("door2/station", #"{"version":1,"id":"7","product":"1.0"}"#, isRetained: true))
    #expect(station.station == "door2" && station.topic == "door2/station" && station.isRetained)
    #expect(station.id == "7" && station.product == "1.0")
    #expect(read("door2/online", "online")?.isOnline == true)
    let offline = try #require(read("door2/online", "offline"))
    #expect(offline.has(.online) && !offline.isOnline)
    let definition = read(
      "door2/def/\(Self.counter)", #"{\#(head),"name":"people","decimals":1,"step":2,"start":3,"period":"daily"}"#)
    #expect(
      definition?.definition
        == .init(counter: Self.counter, name: "people", decimals: 1, step: 2, start: 3, period: "daily"))
    let row = #"{\#(head),"registers":[["\#(Self.writer)",5,9,1,3]]}"#
    let register = Counters.FleetRegister(writer: Self.writer, number: 5, added: 9, subtracted: 1, counts: 3)
    for (topic, isOwn) in [("reg/a/\(Self.counter)/0", true), ("knows/\(Self.counter)", false), ("answer", false)] {
      let counts = try #require(read("door2/\(topic)", row)?.counts)
      #expect(counts.registers == [register] && counts.isOwn == isOwn && counts.counter == Self.counter)
    }
    let history = read("door2/answer", #"{\#(head),"wanted":[["\#(Self.writer)",5,6]],"of":"door1"}"#)?.history
    #expect(history?.wanted == [.init(writer: Self.writer, number: 5, quarter: 6)] && history?.of == "door1")
    let kept = read("door2/answer", #"{\#(head),"kept":[["\#(Self.writer)",5,-6],[1]]}"#)?.kept
    #expect(kept?.counts == [.init(reset: .init(writer: Self.writer, number: 5), change: -6)])
    let report = read(
      "door2/knows",
      #"{"version":1,"writer":"\#(Self.writer)","time":4,"counters":{"\#(Self.counter)":{"\#(Self.writer)":5},"x":{}}}"#
    )?
    .report
    #expect(report?.writer == Self.writer && report?.time == 4)
    #expect(report?.heard == [.init(counter: Self.counter, entries: [.init(writer: Self.writer, number: 5)])])
  }

  @Test func `passes on what the broker does not hold any more`() {
    #expect(read("door2/station", "")?.removed == "station")
    #expect(read("door2/online", "")?.removed == "online")
    let removed = read("door2/def/\(Self.counter)", "")
    #expect(removed?.removed == "def" && removed?.counter == Self.counter)
    #expect(read("door2/reg/a/b/0", "") == nil && read("door2/online", "maybe") == nil)
  }

  @Test(arguments: [
    ("station", "{", "not valid JSON"), ("station", #"{"version":1}"#, "\"id\""), ("station", "[]", "not an object"),
    ("station", #"{"id":"7"}"#, "\"version\""), ("def/c", #"{"version":1,"counter":"d"}"#, "\"counter\""),
    ("reg/a/b/0", #"{"version":1}"#, "\"counter\""), ("knows", #"{"version":1}"#, "\"counters\""),
    ("answer", #"{"version":1,"kept":[]}"#, "\"counter\""),
    ("answer", #"{"version":1,"counter":"c","history":[]}"#, "\"counter\""),
    ("station", String(repeating: "x", count: 20_000), "16385 bytes"),
    ("station", "{\"version\":1,\"id\":\"a\u{0}b\"}", "not valid JSON"),
    ("station", #"{"version":1,"id":"a\u0000b"}"#, "not valid JSON"),
  ])
  func `says why it cannot read a message, and how to remove it`(topic: String, payload: String, reason: String) {
    var problems = StationProblems()
    let received = Received("door2/\(topic)", Array(payload.utf8), isRetained: false)
    let message = problems.read(received, at: 0) { "Remove \($0)." }
    let sentence = problems.sentences(at: 0).first ?? ""
    #expect(sentence.hasPrefix("A message of “door2” is ignored. "))
    #expect(sentence.contains(reason) && sentence.hasSuffix(" Remove door2/\(topic)."))
    // The core hears only that the station is there.
    #expect(message == .init(station: "door2", topic: "door2/\(topic)"))
  }

  @Test func `advises to upgrade for a message of a newer version, not to remove it`() {
    var problems = StationProblems()
    _ = problems.read(Received("door2/station", Array(#"{"version":9}"#.utf8), isRetained: true), at: 0) { $0 }
    #expect(problems.sentences(at: 0).first?.hasSuffix("upgrade this station.") == true)
  }

  @Test func `knows how long a message is in a call`() throws {
    let quarters = (0..<100).map { "[\($0),1,0,0,0]" }.joined(separator: ",")
    let head = #""version":1,"counter":"\#(Self.counter)""#
    let held = (1...150).map { "[\"\(Self.writer)\",\($0),1]" }.joined(separator: ",")
    let resets = (1...150).map { "{\"entry\":[\"\(Self.writer)\",\($0)],\"size\":0}" }.joined(separator: ",")
    let counters = (10...99).map { "\"\(String(repeating: "\($0)", count: 16))\":{}" }.joined(separator: ",")
    for (topic, payload) in [
      ("answer", #"{\#(head),"writer":"\#(Self.writer)","until":[1,1],"quarters":[\#(quarters)]}"#),
      ("answer", "{\(head),\"held\":[\(held)]}"), ("answer", "{\(head),\"resets\":[\(resets)]}"),
      ("knows", "{\"version\":1,\"counters\":{\(counters)}}"),
      (
        "def/\(Self.counter)",
        #"{\#(head),"name":"a","decimals":0,"step":1,"start":0,"title":"\#(String(repeating: "\u{7f}", count: 9000))"}"#
      ),
    ] {
      let received = Received("door2/\(topic)", Array(payload.utf8), isRetained: true)
      let message = try #require(try Counters.StationMessage(received))
      #expect(message.json.description.utf8.count <= received.cost, "\(topic) \(payload.prefix(100))")
    }
  }
}
