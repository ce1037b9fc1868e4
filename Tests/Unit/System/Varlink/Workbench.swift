import Glibc
import JSON
import Linux
import TestKit
import Testing

@testable import Varlink

/// A server on a real socket in a temporary folder, with the loop that a test turns by hand.
final class Workbench {
  static let description = """
    interface org.example.bench
    type Pair (first: int, second: ?string)
    # Answers at once.
    method Echo(text: string) -> (text: string)
    # Is kept until the test answers it.
    method Keep(number: int) -> (number: int)
    method Count(to: int) -> (number: ?int)
    method Blob(size: int) -> (blob: string)
    method Note(text: string) -> ()
    method Take(pairs: []Pair, by: [string]float, kind: ?(small, big)) -> ()
    error Refused (message: string)
    """

  private let temporary = TemporaryFolder()
  var path: String { temporary.path("socket") }
  let loop: EventLoop
  private(set) var server: Server!
  /// The calls of `Keep` and `Count`, in the order in which they came.
  var kept: [Call] = []
  /// What `Note` and `Echo` were called with.
  var notes: [String] = []
  /// What one user may claim.
  var userLimits: Server.UserLimits?
  /// What runs at a pause.
  var onPause: (() -> Void)?
  /// Whether any call changes something.
  var mayChange = true
  /// Runs at each question for what one user may claim.
  var onLimits: (() -> Void)?
  /// Runs at each call of `Note`.
  var onNote: (() -> Void)?
  /// The time of the rate limits where they have not the real one, in nanoseconds.
  var time: Int64 = 1_000_000_000

  /// - Parameters:
  ///   - waiting: how many connections may wait between turns of the loop.
  ///   - isTimed: whether the rate limits have the real time.
  init(
    limits: Server.Limits = .standard, waiting: Int32 = 4096, userLimits: Server.UserLimits? = nil, isTimed: Bool = true
  ) throws {
    self.userLimits = userLimits
    var limits = limits
    limits.waiting = waiting
    loop = try EventLoop()
    let service = Service(vendor: "The Bench", product: "bench", version: "1", url: "https://example.org")
    service.add(
      try Interface(Self.description), isQuestion: { $0 == "Echo" }, mayChange: { [unowned self] _ in mayChange },
      handler: { [unowned self] call in handle(call) })
    service.onPause = { [unowned self] in onPause?() }
    server = try Server(
      loop: loop, listener: try UnixSocket.listen(at: path, mode: 0o600), service: service, limits: limits,
      userLimits: { [unowned self] _ in
        onLimits?()
        return self.userLimits
      },
      rateClock: { [unowned self] in isTimed ? Clock.boottime() : time })
  }

  deinit {
    kept = []
    server = nil
  }

  /// Ends the server while its clients are connected.
  func stop() { server = nil }

  private func handle(_ call: Call) {
    switch call.method {
    case "Echo":
      notes.append(call.parameters["text"]?.string ?? "?")
      call.reply(["text": call.parameters["text"] ?? .null])
    case "Keep": kept.append(call)
    case "Count": if call.requireMore() { kept.append(call) }
    case "Blob":
      call.reply(["blob": .string(String(repeating: "x", count: Int(call.parameters["size"]?.int ?? 0)))])
    case "Note":
      onNote?()
      notes.append(call.parameters["text"]?.string ?? "?")
      call.reply()
    default: call.reply()
    }
  }

  /// Turns the loop until `condition` holds; `false` where that does not come.
  func turn(until condition: () -> Bool) throws -> Bool {
    do {
      try Wait.until("the test's condition", turning: loop, condition)
      return true
    } catch is Wait.Overdue {
      return false
    }
  }

  /// Turns the loop until nothing more is ready.
  func settle() throws {
    while try loop.runOnce(waiting: 0) {}
  }

  /// Sets the time of the rate limits, in milliseconds since the beginning, and lets the server handle what is due.
  func advance(to milliseconds: Int64) throws {
    time = 1_000_000_000 + milliseconds * 1_000_000
    try settle()
    server.resumeThrottled()
    try settle()
  }

  func connect() throws -> RawClient { try RawClient(path: path) }

  /// A server and a client of it.
  static func connected(
    limits: Server.Limits = .standard, userLimits: Server.UserLimits? = nil
  ) throws -> (Workbench, RawClient) {
    let bench = try Workbench(limits: limits, userLimits: userLimits)
    return (bench, try bench.connect())
  }

  /// A server and a client in the same loop.
  static func connectedAsync() throws -> (Workbench, AsyncClient) {
    let bench = try Workbench()
    return (bench, try AsyncClient(loop: bench.loop, path: bench.path))
  }

  /// Turns the loop until the bench keeps the call that a client makes, the first one of the test.
  func keep(_ call: String, of client: RawClient?) throws {
    client?.send(call)
    #expect(try turn { kept.count == 1 })
  }

  /// Turns the loop until a client has got as many messages as these, and checks them.
  func expect(
    _ client: RawClient, _ messages: [String], _ location: SourceLocation = #_sourceLocation
  ) throws {
    #expect(try turn { client.messages.count >= messages.count }, sourceLocation: location)
    #expect(client.messages == messages, sourceLocation: location)
  }

  /// Turns the loop until a client is disconnected; `false` where that does not come.
  func ends(_ client: RawClient) throws -> Bool {
    try turn {
      client.read()
      return client.isClosed
    }
  }
}

/// Calls of the bench's methods as messages, and replies to them.
extension String {
  private static func call(_ method: String, _ parameters: String, _ mode: String = "") -> String {
    #"{"method":"org.example.bench.\#(method)","parameters":{\#(parameters)}\#(mode)}"#
  }

  static func echo(_ text: String) -> String { call("Echo", #""text":"\#(text)""#) }
  static func note(_ text: String, oneway: Bool = false) -> String {
    call("Note", #""text":"\#(text)""#, oneway ? #","oneway":true"# : "")
  }
  static func keep(_ number: Int) -> String { call("Keep", #""number":\#(number)"#) }
  static func count(to number: Int) -> String { call("Count", #""to":\#(number)"#, #","more":true"#) }
  static func blob(_ size: Int) -> String { call("Blob", #""size":\#(size)"#) }
  static func said(_ text: String) -> String { #"{"parameters":{"text":"\#(text)"}}"# }
  static func number(_ number: Int) -> String { #"{"parameters":{"number":\#(number)}}"# }
}

/// A client that sends whatever bytes a test wants, without waiting for anything.
final class RawClient {
  let socket: FileDescriptor
  private(set) var received: [UInt8] = []
  private var complete: [String] = []
  /// Where in ``received`` the next message begins.
  private var split = 0
  /// Whether the server has closed the connection.
  private(set) var isClosed = false

  init(path: String) throws { socket = try UnixSocket.connect(to: path, blocking: false) }

  /// Closing alone leaves late if another test starts a program just now, which holds a copy of the descriptor.
  deinit { shutdown(socket.number, Int32(SHUT_RDWR)) }

  /// Sends as much as fits; how many bytes that was.
  @discardableResult
  func send(_ bytes: some Collection<UInt8>) -> Int {
    let bytes = Array(bytes)
    return max(0, bytes.withUnsafeBytes { Glibc.send(socket.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) })
  }

  /// Sends each text as a message.
  func send(_ messages: String...) { send(messages.map { $0 + "\0" }.joined().utf8) }

  func shutDownSending() { shutdown(socket.number, Int32(SHUT_WR)) }

  /// Reads what is there.
  func read() {
    var portion = [UInt8](repeating: 0, count: 64 << 10)
    while !isClosed {
      let result = portion.withUnsafeMutableBytes { portion in
        Result { try socket.read(into: portion) }
      }
      guard case .success(let count) = result else {
        isClosed = true
        return
      }
      guard let count else { return }
      if count == 0 { isClosed = true }
      received += portion[..<count]
    }
  }

  /// The complete messages that came so far.
  var messages: [String] {
    read()
    while let end = received[split...].firstIndex(of: 0) {
      complete.append(String(decoding: received[split..<end], as: UTF8.self))
      split = end + 1
    }
    return complete
  }
}
