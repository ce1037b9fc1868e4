import CoreAPI
import InputDaemon
import JSON
import Linux
import Testing
import Varlink

@Suite(.timeLimit(.minutes(5)))
struct CoreConnectionTests {
  let core: CoreStandIn
  let connection: CoreConnection
  let fence = Fence()

  final class Fence { var reason: String? }

  init() throws {
    core = try CoreStandIn()
    connection = try CoreConnection(loop: core.loop, paths: [core.path], producer: "test") { [fence] in
      fence.reason = $0
    }
  }

  private func deliver(_ numbers: ClosedRange<Int>) {
    for number in numbers { connection.deliver(delivery(number)) }
  }

  /// Everything is delivered, and the core has recorded these in order.
  private func expect(_ numbers: some Sequence<Int>, _ location: SourceLocation = #_sourceLocation) throws {
    try core.run { connection.unacknowledged == 0 }
    #expect(core.core.recorded == numbers.map(delivery), sourceLocation: location)
  }

  /// Waits until the core has refused something, and longer.
  private func waitForRefusal() throws {
    try core.run { core.core.refusals > 0 }
    try turn(10)
  }

  private func turn(_ times: Int, waiting: UInt64 = 10_000) throws {
    for _ in 0..<times { _ = try core.loop.runOnce(waiting: waiting) }
  }

  @Test func `a core that comes late gets everything in order`() throws {
    deliver(1...100)
    _ = try core.loop.runOnce(waiting: 10_000)
    try core.start()
    try expect(1...100)
  }

  @Test func `of several places the first one that answers is the core's, and stays it`() throws {
    let second = try CoreStandIn()
    try second.start()
    let connection = try CoreConnection(loop: second.loop, paths: [core.path, second.path], producer: "test") { _ in }
    connection.deliver(delivery(1))
    try second.run { connection.unacknowledged == 0 }
    second.stop()
    try core.start()
    connection.deliver(delivery(2))
    for _ in 0..<20 { _ = try second.loop.runOnce(waiting: 10_000) }
    #expect(connection.unacknowledged == 1)
    try second.start()
    try second.run { connection.unacknowledged == 0 }
    #expect(second.core.recorded == [1, 2].map(delivery))
  }

  @Test func `a path that no socket can have is refused at once`() {
    let long = "/tmp/" + String(repeating: "x", count: 120)
    #expect(throws: SystemError.self) {
      try CoreConnection(loop: core.loop, paths: [core.path, long], producer: "test") { _ in }
    }
  }

  @Test(arguments: [("tally", true), (String(repeating: "x", count: 129), false), ("a\nb", false), ("", false)])
  func `a producer's name is one that the core takes`(name: String, isSound: Bool) {
    #expect(CauseLabel.isSound(name) == isSound)
  }

  @Test func `a core that is restarted in the middle misses and doubles nothing`() throws {
    try core.start()
    for round in 0..<10 {
      deliver(round * 50 + 1...round * 50 + 50)
      try turn(round, waiting: 1000)
      core.stop()
      _ = try core.loop.runOnce(waiting: 1000)
      try core.start()
    }
    try expect(1...500)
  }

  @Test func `answers that were lost are asked for again`() throws {
    try core.start()
    connection.deliver(delivery(1))
    try core.run { connection.unacknowledged == 0 }
    core.swallowsAnswers = true
    deliver(2...5)
    try core.run { core.core.recorded.count == 5 }
    core.stop()
    core.swallowsAnswers = false
    try core.start()
    try expect(1...5)
    #expect(core.core.duplicates == 4)
  }

  @Test func `a core that accepts requests and never answers is reported once, and loses nothing`() throws {
    // To the core of the suite's connection, this one would be another daemon of the same name.
    let core = try CoreStandIn()
    let connection = try CoreConnection(
      loop: core.loop, paths: [core.path], producer: "test", patience: 50_000_000
    ) { _ in }
    core.swallowsAnswers = true
    try core.start()
    connection.deliver(delivery(1))
    try core.run { !connection.complaints.isEmpty }
    for _ in 0..<20 { _ = try core.loop.runOnce(waiting: 10_000) }
    let sentences = Array(connection.complaints)
    #expect(sentences.count == 1 && sentences[0].contains("\(core.path) is connected and does not reply"))
    #expect(connection.unacknowledged == 1)
    core.stop()
    core.swallowsAnswers = false
    try core.start()
    try core.run { connection.unacknowledged == 0 }
    #expect(core.core.recorded == [delivery(1)])
    #expect(connection.complaints.isEmpty)
  }

  @Test func `a gesture that is refused is left out, and those behind it count`() throws {
    core.core.refuses = { $0 == delivery(3) }
    try core.start()
    deliver(1...5)
    try expect([1, 2, 4, 5])
  }

  @Test func `an undo that only an administrator may is left out and told, and those behind it count`() throws {
    core.core.refuses = { $0 == delivery(1) }
    core.refusal = ("PermissionDenied", ["right": "administer"])
    var refused: [Delivery] = []
    connection.onAnswer = { delivery, outcome in if case .refused = outcome() { refused.append(delivery) } }
    try core.start()
    deliver(1...3)
    try expect([2, 3])
    #expect(refused == [delivery(1)])
  }

  @Test(arguments: ["PermissionDenied", "TroubleOfANewerCore"])
  func `a gesture waits while the right to count is missing, or the reason is unknown here`(error: String) throws {
    core.core.refuses = { _ in true }
    core.refusal = (error, error == "PermissionDenied" ? ["right": "count"] : [:])
    try core.start()
    deliver(1...3)
    try waitForRefusal()
    #expect(connection.unacknowledged == 3)
    core.core.refuses = { _ in false }
    try expect(1...3)
  }

  @Test(
    arguments: [("changes", [1, 3]), ("changes[0].verb", [1, 3]), ("seat", []), ("epoch", [])] as [(String, [Int])])
  func `a parameter that the core does not take drops a gesture only where it is the gesture's`(
    parameter: String, recorded: [Int]
  ) throws {
    core.core.refuses = { $0 == delivery(2) || !parameter.hasPrefix("changes") }
    core.refusal = (VarlinkError.invalidParameter("").name, ["parameter": .string(parameter)])
    try core.start()
    deliver(1...3)
    try waitForRefusal()
    if recorded.isEmpty { #expect(connection.unacknowledged == 3) }
    core.core.refuses = { $0 == delivery(2) && !recorded.isEmpty }
    try expect((recorded.isEmpty ? [1, 2, 3] : recorded))
  }

  @Test func `a full disk is waited for`() throws {
    core.core.isFull = true
    try core.start()
    deliver(1...5)
    try waitForRefusal()
    #expect(connection.unacknowledged == 5)
    core.core.isFull = false
    try expect(1...5)
  }

  @Test func `another daemon of the same name is noticed`() throws {
    try core.start()
    connection.deliver(delivery(1))
    try core.run { connection.unacknowledged == 0 }
    core.core.fence()
    connection.deliver(delivery(2))
    try core.run { fence.reason != nil }
    #expect(fence.reason == "A sentence.")
  }

  @Test func `all members of a change arrive, and those that are absent stay away`() throws {
    try core.start()
    let full = Delivery([
      .init(verb: "subtract", counter: "people", time: 7, device: "Pedal", gesture: "press", quantity: "2.5"),
      .init(verb: "undo", time: -7, device: "Pedal", gesture: "tap"),
    ])
    connection.deliver(full)
    try core.run { connection.unacknowledged == 0 }
    #expect(core.core.recorded == [full])
  }
}
