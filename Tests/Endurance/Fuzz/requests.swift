// What comes to the board over HTTP, behind NIO's parser. The input is a request: its line, headers, an empty line, a body.
import Board
import CoreAPI
import JSON
import Reports

private let now: Int64 = 1_795_266_309_250_000

private let state: BoardState = {
  func counter(_ id: Int64, _ name: String, _ more: JSONObject) -> JSON {
    var members = more
    (members["id"], members["name"], members["title"], members["value"]) = (.int(id), .string(name), "<T>", .int(.max))
    return .object(members)
  }
  var state = BoardState()
  state.begin(
    Counters.WatchReply([
      "counters": .array([
        counter(1, "a", [:]), counter(2, "b", ["group": "team", "decimals": 9]), counter(3, "c", ["group": "team"]),
        counter(4, "t", ["kind": "stopwatch", "group": "clocks"]), counter(5, "old", ["archived": true]),
      ])
    ]),
    groups: [Counters.Group(["name": "team", "title": "Team"])],
    events: [Counters.Event(["sequence": 7, "kind": "added", "counter": "a"])])
  return state
}()

private let site = Routes(hosts: HostNames(machine: "kiosk", others: ["counts.example.org"]))

private let device: PairedDevices.Device = {
  var devices = PairedDevices()
  devices.offer(proof: "c", now: 0)
  return try! devices.pair(code: "c", id: "i", proof: "p", name: "Anna", now: 1)
}()

private func read(_ text: String) {
  // A body may hold empty lines. A carriage return with its line feed is one character.
  let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
  let headers = lines.dropFirst().prefix { !$0.isEmpty }
  let words = (lines.first ?? "").split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
  func values(_ name: String) -> [String] {
    headers.compactMap { line in
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, parts[0].lowercased() == name else { return nil }
      return String(parts[1].drop { $0 == " " })
    }
  }
  var request = Routes.Request(
    method: String(words.first ?? ""), target: words.count > 1 ? String(words[1]) : "", hosts: values("host"),
    knownTag: values("if-none-match").first)
  request.origin = values("origin").first
  request.contentType = values("content-type").first
  request.body = Array(lines.dropFirst(headers.count + 2).joined(separator: "\n").utf8)
  if let cookie = DeviceCookie(values("cookie"), host: request.hosts.first ?? "") {
    demand(!(cookie.id + cookie.key).contains("."), "a cookie has two parts")
  }
  switch site.answer(request) {
  case .content(let content): check(content)
  case .events: demand(["GET", "HEAD"].contains(request.method), "a stream is only read")
  case .picture(let name):
    demand(name.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x7a ~= $0 }, "a picture's name is no path")
  case .order(.chart(let query, let form)): draw(query, form)
  case .order(.metrics): check(state.metrics(now: now))
  case .order(.history(let query)): list(query)
  case .order(let order):
    demand(request.method == "POST", "an order is posted")
    demand(
      request.hosts.contains { request.origin == "http://\($0)" || request.origin == "https://\($0)" },
      "an order comes from a page of the board")
    perform(order)
  }
}

private func check(_ content: Routes.Content) {
  demand(200...599 ~= content.status, "an answer has a status")
  demand(
    content.headers.allSatisfy { header in header.value.utf8.allSatisfy { 0x20...0x7e ~= $0 } },
    "no header holds another one")
  guard content.headers.contains(where: { $0.value == "application/json" }) else { return }
  demand((try? JSON(parsing: String(decoding: content.body, as: UTF8.self))) != nil, "JSON is JSON")
}

private func perform(_ order: Routes.Order) {
  switch order {
  // The core itself decides on these.
  case .open, .correct, .note, .chart, .history, .metrics: break
  case .keep(let bytes):
    if let picture = Picture(bytes) { check(.picture(picture)) }
  case .undo(let sequence): demand(!state.canUndo(sequence, isSettingUp: false) || sequence == 7, "only a last event")
  case .deliver(let delivery, _):
    demand(1...Routes.Delivery.mostTaps ~= delivery.taps.count, "there are some changes, and not many")
    demand(delivery.sequence &+ 10 > delivery.sequence, "each change has a number")
    for tap in delivery.taps {
      let change = tap.change(by: device, now: now)
      demand(change.time.map { 0..<now ~= $0 } ?? true, "a count was made before now")
      demand(
        (try? JSON(parsing: EncodedObject(change.object).description)) == .object(change.object), "a change is told")
    }
  case .setUp(let setup):
    do throws(Routes.Refusal) {
      for request in try setup.requests(in: state) {
        demand(
          (try? JSON(parsing: EncodedObject(request.parameters).description)) == .object(request.parameters),
          "a request is told")
      }
    } catch {
      check(error.content)
    }
  case .pair(let code, let name, let origin):
    var devices = PairedDevices()
    devices.offer(proof: code, now: now)
    do throws(PairedDevices.Refusal) {
      let device = try devices.pair(code: code, id: "id", proof: "proof", name: name, now: now)
      demand(1...64 ~= device.name.utf8.count, "a name is short")
      demand(PairedDevices(text: devices.text)?.devices == devices.devices, "devices are read as they were written")
      check(.paired(device, key: "key", origin: origin))
    } catch {
      check(.refused(error))
    }
  }
}

private func list(_ query: HistoryQuery) {
  do throws(Routes.Refusal) {
    demand(try query.filter(in: state).counters?.isEmpty == false, "a list of events is that of some counters")
  } catch {
    check(error.content)
  }
  let event: JSON = .object([
    "sequence": 7, "kind": "added", "counter": "a", "value": .int(.min), "change": .int(.max),
  ])
  let reply = Counters.HistoryReply(["events": .array([event]), "more": true])
  check(query.content(.success(reply), in: state))
}

private func draw(_ query: ChartQuery, _ form: ChartQuery.Form) {
  do throws(Routes.Refusal) {
    let counters = try query.counters(in: state)
    let frame = query.frame(of: counters, now: now)
    demand(2...61 ~= frame.bounds.count, "a chart has at most 60 steps: \(frame.bounds.count)")
    demand(zip(frame.bounds, frame.bounds.dropFirst()).allSatisfy { $0 < $1 }, "steps are in order")
    let totals = frame.bounds.dropLast().enumerated().map { index, _ in
      JSON.object(["counts": .int(.max), "added": .int(index % 3 == 0 ? .max : 5), "subtracted": .int(Int64(index))])
    }
    let each = counters.map { counter in
      JSON.object([
        "name": .string(counter.name), "totals": .array(totals), "decimals": counter.object["decimals"] ?? 0,
        "stopwatches": .bool(counter.isStopwatch),
      ])
    }
    let statistics = Counters.StatisticsReply([
      "first": 1, "last": .int(now), "busiest": .object(["added": .int(.min)]),
    ])
    let chart = query.chart(
      of: counters, title: state.title(of: query), frame, Counters.TotalsReply(["counters": .array(each)]), statistics)
    guard let content = chart?.content(form) else { return }
    check(content)
    let text = String(decoding: content.body, as: UTF8.self)
    demand(form == .table || text.hasPrefix("<svg") && !text.contains("<T>"), "a picture escapes titles")
  } catch {
    check(error.content)
  }
}

@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  read(String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self))
  return 0
}
