import Board
import CoreAPI
import Testing
import Varlink

@Suite struct RoutesTests {
  private let site = Routes(hosts: HostNames(machine: "kiosk"))

  private func content(_ target: String, method: String = "GET", hosts: [String] = ["kiosk"], tag: String? = nil)
    -> Routes.Content?
  {
    let request = Routes.Request(method: method, target: target, hosts: hosts, knownTag: tag)
    if case .content(let content) = site.answer(request) { return content }
    return nil
  }

  @Test(arguments: ["/", "/all", "/all/team", "/wall", "/wall/a%20b", "/wall/a,b", "/?theme=dark"])
  func `the page and its files are there, and the stream is no file`(target: String) throws {
    let found = try #require(content(target))
    #expect(found.status == 200)
    #expect(String(decoding: found.body, as: UTF8.self).hasPrefix("<!doctype html>"))
    #expect(content("/events") == nil)
    #expect(content("/events?view=a") == nil)
  }

  @Test func `exactly one allowed Host is needed, before anything else`() {
    for hosts in [[], ["evil.example"], ["kiosk", "kiosk"], ["kiosk", "evil.example"]] {
      for target in ["/", "/events", "/nowhere"] {
        #expect(content(target, hosts: hosts)?.status == 421)
        #expect(content(target, method: "POST", hosts: hosts)?.status == 421)
      }
    }
  }

  @Test func `a browser that has a file is told so, one that has another is sent it`() throws {
    let found = try #require(content("/board.js"))
    let tag = try #require(found.headers.first { $0.name == "ETag" }?.value)
    #expect(content("/board.js", tag: tag)?.status == 304)
    #expect(content("/board.js", tag: tag)?.body == [])
    #expect(content("/board.css", tag: tag)?.status == 200)
  }

  @Test func `a file of another version than the page's is refused`() throws {
    let build = try #require(/"build":"(\w+)"/.firstMatch(in: state())?.1)
    for (query, status) in [
      ("", 200), ("?", 200), ("?\(build)", 200), ("?\(build).2", 200), ("?0", 404), ("?0.1", 404),
    ] {
      #expect(content("/later.js\(query)")?.status == status, "\(query)")
    }
  }

  /// The first message to a page.
  private func state() -> String {
    String(
      decoding: BoardMessage.state(
        BoardState(), BoardConditions(), version: "1.0", now: 0, absence: nil), as: UTF8.self)
  }

  @Test func `the digits are a font of the board, and no page may load one from elsewhere`() throws {
    let found = try #require(content("/digits.woff2"))
    #expect(found.headers.contains { $0.name == "Content-Type" && $0.value == "font/woff2" })
    #expect(found.body.starts(with: "wOF2".utf8))
    #expect(Routes.safety.contains { $0.value.contains("font-src 'self'") })
  }

  private func order(_ target: String, _ body: String, _ change: (inout Routes.Request) -> Void = { _ in })
    -> Routes.Answer
  {
    var request = Routes.Request(method: "POST", target: target, hosts: ["kiosk:80"])
    request.origin = "http://kiosk:80"
    request.contentType = "application/json; charset=utf-8"
    request.body = Array(body.utf8)
    change(&request)
    return site.answer(request)
  }

  private func device() throws -> PairedDevices.Device {
    let text = #"{"devices":[{"id":"i","name":"Anna","paired":1,"proof":"p"}]}"#
    return try #require(PairedDevices(text: text)?.devices.first)
  }

  private func status(_ answer: Routes.Answer) -> Int? {
    if case .content(let content) = answer { return content.status }
    return nil
  }

  @Test func `orders are read`() throws {
    guard case .order(.open(origin: "http://kiosk:80")) = order("/open", "{}") else { throw Missing() }
    guard
      case .order(.pair(code: "c", name: "n", origin: "http://kiosk:80")) = order(
        "/pair", #"{"code":"c","name":"n"}"#)
    else { throw Missing() }
    guard
      case .order(.correct(counter: "a", quantity: "1.5")) = order("/correct", #"{"counter":"a","quantity":"1.5"}"#),
      case .order(.note(sequence: 3, text: "b")) = order("/note", #"{"sequence":3,"text":"b"}"#),
      case .order(.note(sequence: 3, text: nil)) = order("/note", #"{"sequence":3}"#)
    else { throw Missing() }
    let body = #"""
      {"epoch":1,"sequence":2,"taps":[{"verb":"add","counter":"a","gesture":"tap","age":3},{"verb":"toggle","age":0}]}
      """#
    guard case .order(.deliver(let delivery, origin: "http://kiosk:80")) = order("/count", body) else {
      throw Missing()
    }
    #expect(delivery.taps.map(\.verb) == [.add, .toggle])
    let tap = delivery.taps[0]
    #expect((delivery.epoch, delivery.sequence, tap.age) == (1, 2, 3))
    #expect(try tap.change(by: device(), now: 1_000_000_000).time == nil)
    #expect(try tap.change(by: device(), now: 1).device == "Anna")
  }

  private struct Missing: Error {}

  @Test func `a count that waited has its own time; an absurd age has none`() throws {
    let device = try device()
    for (age, time) in [(2001, 1_000_000_000 - 2_001_000), (1_000_000, nil), (Int64.max, nil)] as [(Int64, Int64?)] {
      let body = #"{"epoch":1,"sequence":2,"taps":[{"verb":"add","age":\#(age)}]}"#
      guard case .order(.deliver(let delivery, _)) = order("/count", body) else { throw Missing() }
      #expect(delivery.taps[0].change(by: device, now: 1_000_000_000).time == time)
    }
  }

  @Test func `a count has an amount and a note, ten times in a request`() throws {
    let tap = #"{"verb":"add","counter":"a","gesture":"keypad","quantity":"12.5","note":"a bus","age":3}"#
    let body = #"{"epoch":1,"sequence":2,"taps":[\#(Array(repeating: tap, count: 10).joined(separator: ","))]}"#
    guard case .order(.deliver(let delivery, _)) = order("/count", body) else { throw Missing() }
    #expect(delivery.taps.map(\.note) == Array(repeating: "a bus", count: 10))
    #expect(try delivery.taps[0].change(by: device(), now: 1).quantity == "12.5")
  }

  @Test func `a text is drawn as a QR code`() throws {
    let found = try #require(content("/qr.svg?text=http%3A%2F%2Fkiosk%2F"))
    let text = String(decoding: found.body, as: UTF8.self)
    // 21 modules, and a margin of four on each side.
    #expect(found.status == 200 && text.hasPrefix("<svg ") && text.contains(#"viewBox="0 0 29 29""#))
    #expect(content("/qr.svg")?.status == 400)
    #expect(content("/qr.svg?text=")?.status == 400)
  }

  @Test func `an order of another origin, form or shape is refused`() throws {
    let tap = #"{"verb":"add","age":0}"#
    func body(_ taps: String, sequence: Int64 = 2) -> String {
      #"{"epoch":1,"sequence":\#(sequence),"taps":[\#(taps)]}"#
    }
    func taps(_ number: Int) -> String { Array(repeating: tap, count: number).joined(separator: ",") }
    let good = body(tap)
    for number in [1, 10] {
      guard case .order = order("/count", body(taps(number))) else { throw Missing() }
    }
    for origin in [nil, "http://kiosk", "http://evil.example"] {
      #expect(status(order("/count", good) { $0.origin = origin }) == 403)
    }
    for type in [nil, "text/plain"] { #expect(status(order("/count", good) { $0.contentType = type }) == 415) }
    for method in ["PUT", "GET"] { #expect(status(order("/count", good) { $0.method = method }) == 405) }
    #expect(status(order("/count", String(repeating: " ", count: 20_000))) == 413)
    for body in [
      "", "{", "[]", body(#"{"verb":"drop","age":0}"#), body(#"{"verb":"undo","age":0}"#),
      body(#"{"verb":"redo","age":0}"#), #"{"epoch":1}"#, "{\"a\":[[[[[]]]]]}", body(""), body(taps(11)),
      body(tap, sequence: .max), body("\(tap),3"), body(#"{"verb":"add","age":0,"name":"b"}"#),
      body(#"{"verb":"add","age":0,"amount":5}"#),
      #"{"epoch":1,"sequence":2,"taps":[{"verb":"add","age":0}],"all":true}"#,
      #"{"epoch":1,"sequence":2,"taps":\#(tap)}"#,
    ] {
      #expect(status(order("/count", body)) == 400, "\(body)")
    }
    #expect(status(order("/pair", "{}")) == 400)
    #expect(status(order("/correct", #"{"counter":"a"}"#)) == 400)
    #expect(status(order("/note", #"{"text":"b"}"#)) == 400)
    #expect(status(order("/undo", #"{"sequence":2,"counter":"a"}"#)) == 400)
    #expect(status(order("/setup", #"{"do":"up","name":"a","counter":"b"}"#)) == 400)
  }

  @Test func `a member of another type is refused, and not taken as absent`() {
    for type in ["5", "true", "[]", "{}"] {
      for member in ["counter", "gesture", "quantity", "note"] {
        let body = #"{"epoch":1,"sequence":2,"taps":[{"verb":"add","age":0,"\#(member)":\#(type)}]}"#
        #expect(status(order("/count", body)) == 400, "\(body)")
      }
      let body = #"{"do":"set","name":"a","field":"title","text":\#(type)}"#
      #expect(status(order("/setup", body)) == 400, "\(body)")
    }
    #expect(status(order("/setup", #"{"do":"create","name":"a","stopwatch":"yes"}"#)) == 400)
  }

  @Test func `the answer to counts says how many come before the first refused one, which alone is refused`() {
    func refused(_ reason: Counters.Refusal.Reason) -> VarlinkError { Counters.Refusal(reason, message: "no").error }
    func text(_ errors: [VarlinkError?]) -> String {
      let content = Routes.Content.delivered(errors)
      return "\(content.status) \(String(decoding: content.body, as: UTF8.self))"
    }
    #expect(text([nil, nil, nil]) == #"200 {"counted":3}"#)
    #expect(text([nil, refused(.deliveryGap(expected: 2)), nil]) == #"200 {"counted":1}"#)
    #expect(text([refused(.deliveryForgotten), nil]) == #"200 {"counted":2}"#)
    #expect(text([refused(.deliveryGap(expected: 2)), nil]).hasPrefix("409 "))
    #expect(text([refused(.storageFailed)]).hasPrefix("503 "))
  }

  @Test func `no group is made for a counter that is gone`() {
    #expect(throws: Routes.Refusal.self) {
      try Setup.group(counter: "gone", name: "garden").requests(in: BoardState())
    }
  }

  @Test func `the pages of each origin of a device are a producer of their own`() throws {
    let device = try device()
    let producers = ["http://kiosk", "https://kiosk", "http://kiosk:8464"].map(device.producer)
    #expect(Set(producers).count == 3)
    #expect(producers.allSatisfy { $0.hasPrefix("tally-board/i/") && $0.utf8.count <= 128 })
    #expect(producers.first == device.producer(at: "http://kiosk"))
  }

  @Test func `HEAD is answered as GET, also where orders are taken`() {
    #expect(content("/pair", method: "HEAD")?.status == 200)
    #expect(content("/count", method: "HEAD")?.status == 405)
    #expect(content("/ready", method: "HEAD")?.status == 200)
  }

  @Test func `a target in absolute form is read, if it names the host of the request`() {
    #expect(content("http://kiosk/ready")?.status == 200)
    #expect(content("http://kiosk")?.status == 200)
    #expect(content("HTTP://kiosk/?theme=dark")?.status == 200)
    #expect(content("https://kiosk/nowhere")?.status == 404)
    #expect(content("http://evil.example/ready")?.status == 404)
    #expect(content("http://evil.example/ready", hosts: ["evil.example"])?.status == 421)
    #expect(content("http://kiosk/ready", hosts: [])?.status == 421)
  }

  @Test func `everything else is answered by a sentence`() {
    for target in ["/nowhere", "*", "", "//evil.example/", "/wall/", "/wall/a/b"] {
      #expect(content(target)?.status == 404, "\(target)")
    }
    #expect(content("/ready")?.status == 200)
    #expect(content("/", method: "POST")?.status == 405)
    #expect(content("/" + String(repeating: "a", count: 3000))?.status == 414)
  }
}
