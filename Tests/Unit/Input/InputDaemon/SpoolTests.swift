import Bindings
import CoreAPI
import Foundation
import Linux
import TestKit
import Testing

@testable import InputDaemon

@Suite(.seeded) final class SpoolTests {
  private let temporary = TemporaryFolder()
  var folder: String { temporary.path }
  var path: String { "\(folder)/producer.spool" }

  /// Writes `content` into the file, and returns what the next process finds.
  func load(_ content: some Sequence<UInt8>) throws -> DeliveryQueue.State {
    try Data(content).write(to: URL(fileURLWithPath: path))
    return try Spool(path: path).load()
  }

  /// The lines of a file that holds these deliveries, each with its line feed.
  func lines(_ numbers: ClosedRange<Int>) throws -> [[UInt8]] {
    let spool = try Spool(path: path)
    var queue = DeliveryQueue()
    for number in numbers {
      try add(delivery(number), to: &queue, spool)
    }
    let content = try content().prefix { $0 != 0 }
    return content.split(separator: UInt8(ascii: "\n")).map { $0 + [UInt8(ascii: "\n")] }
  }

  /// What stands in the file.
  func content() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

  /// Adds a delivery to a queue and to its spool.
  func add(_ delivery: Delivery, to queue: inout DeliveryQueue, _ spool: Spool) throws {
    #expect(queue.add(delivery) == true)
    try spool.append(newestOf: queue)
  }

  /// Delivers all that a queue has to a core that refuses nothing.
  func deliver(_ queue: inout DeliveryQueue, to core: inout VirtualCore, _ spool: Spool? = nil) throws {
    while let request = queue.next() {
      #expect(queue.answered(core.handle(request)) == nil)
      if request == .open { try spool?.save(queue.state) } else { spool?.acknowledge() }
    }
  }

  var unreadable: [String] {
    let content = try? Data(contentsOf: URL(fileURLWithPath: "\(path).unreadable"))
    return String(decoding: content ?? Data(), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// A queue that has delivered so many and keeps so many more, and its spool.
  func deliver(_ acknowledged: Int, keep waiting: Int) throws -> DeliveryQueue {
    let spool = try Spool(path: path)
    var core = VirtualCore()
    var queue = DeliveryQueue()
    queue.connected()
    for number in 1...acknowledged + waiting {
      try add(delivery(number), to: &queue, spool)
      guard number <= acknowledged else { continue }
      try deliver(&queue, to: &core, spool)
    }
    return queue
  }

  @Test func `what is no file is moved out of the way, and the queue begins empty`() throws {
    #expect(mkfifo(path, 0o600) == 0)
    #expect(try Spool(path: path).load().waiting.isEmpty)
    #expect(access("\(path).foreign", F_OK) == 0)
    #expect(try load(lines(1...3).joined()).waiting.count == 3)
  }

  @Test func `a line that stands there twice is delivered once`() throws {
    let spool = try Spool(path: path)
    var queue = DeliveryQueue()
    var one = delivery(1)
    one.identity = "pedal 1 0"
    try add(one, to: &queue, spool)
    let line = try content().prefix { $0 != 0 }
    #expect(SpoolContent(parsing: [UInt8](line + line)).state.waiting.map(\.delivery) == [one])
  }

  @Test(arguments: [(3, 2), (600, 1), (1, 1000)])
  func `what was taken and not acknowledged is there for the next process, under its numbers`(
    acknowledged: Int, waiting: Int
  ) throws {
    let queue = try deliver(acknowledged, keep: waiting)
    let expected = (1...waiting).map { number in
      DeliveryQueue.Entry(
        delivery(acknowledged + number), number: .init(epoch: 1, sequence: Int64(acknowledged + number)))
    }
    #expect(queue.state.waiting == expected)
    for _ in 0..<2 { #expect(try Spool(path: path).load().waiting == expected) }
    #expect(unreadable.isEmpty)
  }

  @Test func `everything that a delivery says is kept`() throws {
    let changes = [
      Counters.Change(
        verb: "subtract", counter: "people", time: 17, device: "pedal", gesture: "double-press", made: 16,
        quantity: "2.5"), change("reset", at: 17, isAll: true),
      change("next", at: 17, isGroups: true, isTogether: true),
      change("reset", at: 17, device: "a\"+1 \u{1}", group: "ä"),
    ]
    let delivery = Delivery(changes, origin: "/sys/x", identity: "x")
    do {
      var queue = DeliveryQueue()
      try add(delivery, to: &queue, Spool(path: path))
    }
    #expect(try Spool(path: path).load().waiting.map(\.delivery) == [delivery])
  }

  // MARK: Damage

  @Test func `a damaged byte anywhere takes away its own line at most, which is put aside`() throws {
    let content = try lines(1...4).flatMap(\.self)
    for place in content.indices {
      for bits: UInt8 in [0x01, 0x20, 0xff, content[place]] {
        var damaged = content
        damaged[place] ^= bits
        let found = SpoolContent(parsing: damaged)
        let read = found.state.waiting.map(\.delivery)
        let line = content[..<place].count { $0 == UInt8(ascii: "\n") }
        let rest = (1...4).map(delivery).enumerated().filter { $0.offset != line }.map(\.element)
        #expect(read.filter { $0 != delivery(line + 1) } == rest, "byte \(place) ^ \(bits)")
        // A byte of zero at the beginning of the last line is what an unfinished line has.
        let isUnfinished = bits == content[place] && line == 3 && content[..<place].last == UInt8(ascii: "\n")
        #expect(read.count == 4 || isUnfinished || !found.unreadable.isEmpty, "byte \(place) ^ \(bits)")
      }
    }
  }

  @Test(arguments: 0..<Rounds.times(80))
  func `random damage to some lines changes no other one`(number: Int) throws {
    var random = Seed.generator(case: number)
    var lines = try lines(1...6)
    var sound = Set(1...6)
    for _ in 0..<random.below(8) {
      let index = random.below(6)
      sound.remove(index + 1)
      let place = random.below(lines[index].count - 1)
      let bytes = (0..<random.below(40)).map { _ in UInt8(random.below(256)) }.filter { $0 != UInt8(ascii: "\n") }
      let end = min(place + random.below(40), lines[index].count - 1)
      lines[index].replaceSubrange(place..<end, with: bytes)
    }
    let read = SpoolContent(parsing: lines.flatMap(\.self)).state.waiting.map(\.delivery)
    #expect(sound.isSubset(of: read.compactMap { $0.changes[0].time.map(Int.init) }))
    let garbage = (0..<random.below(2000)).map { _ in UInt8(random.below(256)) }
    #expect(SpoolContent(parsing: garbage).state.waiting.isEmpty)
  }

  @Test func `a file that was cut off anywhere keeps all whole lines`() throws {
    let content = try lines(1...2).flatMap(\.self)
    for length in content.indices {
      let read = SpoolContent(parsing: Array(content[..<length])).state.waiting.map(\.delivery)
      #expect(read == (length > content.count / 2 - 1 ? [delivery(1)] : []), "\(length) bytes")
    }
  }

  @Test func `a line that a process died over is nothing, and what comes after is whole`() throws {
    var lines = try lines(1...2)
    lines[1][0] = 0
    for length in lines[1].indices {
      #expect(try load(lines[0] + lines[1][...length] + [0, 0]).waiting.map(\.delivery) == [delivery(1)])
    }
    #expect(unreadable.isEmpty)
    var queue = DeliveryQueue()
    try add(delivery(3), to: &queue, Spool(path: path))
    #expect(try Spool(path: path).load().waiting.map(\.delivery) == [delivery(3)])
  }

  @Test(arguments: [
    "{\"epoch\":7,\"first\":\"3\"}", "{\"some\":\"object\"}", "+2 0123456789abcdef {\"changes\":[]}", "-", "null",
    "+1 0123456789abcdef {}", "\u{1}\u{2}", String(repeating: "[", count: 10_000), "{\"changes\":[]}",
    "{\"changes\":[{\"verb\":\"add\"}]}",
  ])
  func `a foreign line anywhere drops none of the others, and is put aside`(foreign: String) throws {
    let lines = try lines(1...3)
    for place in 0...3 {
      var mixed = lines
      mixed.insert(Array("\(foreign)\n".utf8), at: place)
      #expect(try load(mixed.joined()).waiting.map(\.delivery) == (1...3).map(delivery))
      #expect(unreadable == Array(repeating: foreign, count: place + 1))
    }
    #expect(try Spool(path: path).load().waiting.count == 3)
  }

  @Test(arguments: ["DDDD", "\u{7}\u{0}\u{7}", "x+1 y", "-1 0123456789abcdef {}", "+"])
  func `what follows the last line feed is put aside, unless a process died over it`(rest: String) throws {
    let lines = try lines(1...3).flatMap(\.self)
    for filler in [0, 1, 4096] {
      let content = lines + Array(rest.utf8) + Array(repeating: 0, count: filler)
      let found = SpoolContent(parsing: content)
      #expect(found.state.waiting.map(\.delivery) == (1...3).map(delivery))
      #expect(found.unreadable == [Array(rest.utf8)])
    }
    let found = SpoolContent(parsing: lines + [0] + Array(rest.utf8))
    #expect(found.unreadable == (rest == "+" ? [Array(rest.utf8)] : []))
  }

  @Test func `a long line with many beginnings of lines hides none that follows`() throws {
    let line = String(repeating: "+1 0123456789abcdef ", count: 3_000) + "\n"
    let sound = try lines(1...1)[0]
    let found = SpoolContent(parsing: Array(line.utf8) + sound)
    #expect(found.state.waiting.map(\.delivery) == [delivery(1)])
    #expect(found.unreadable.count == 1)
    // The line feed between them is damaged.
    let joined = SpoolContent(parsing: Array(line.utf8.dropLast()) + sound)
    #expect(joined.state.waiting.map(\.delivery) == [delivery(1)])
  }

  @Test func `lines that cannot be read do not pile up without end`() throws {
    let line = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 10) + [UInt8(ascii: "\n")]
    for _ in 0..<20 {
      try Data(line).write(to: URL(fileURLWithPath: path))
      #expect(try Spool(path: path, mostUnreadable: 16 << 10).load().waiting.isEmpty)
    }
    #expect(15 << 10...16 << 10 ~= unreadable.map { $0.utf8.count + 1 }.reduce(0, +))
  }

  // MARK: The file

  @Test func `a gesture that was taken is known to the next process, acknowledged or not`() throws {
    var queue = DeliveryQueue()
    var core = VirtualCore()
    queue.connected()
    do {
      let spool = try Spool(path: path)
      for number in 1...600 {
        let delivery = Delivery(delivery(number).changes, identity: "pedal press \(number)")
        try add(delivery, to: &queue, spool)
        if number % 3 == 0 { try deliver(&queue, to: &core, spool) }
      }
    }
    let next = DeliveryQueue(restoring: try Spool(path: path).load())
    #expect(next.seen == queue.seen)
    #expect(next.isEmpty)
    #expect(next.seen.time(of: "pedal press 1") == 1)
    #expect(next.seen.time(of: "pedal press 600") == 600)
    #expect(try content().count < 600 * 300)
  }

  @Test func `a file that cannot be written anew loses what it has, and counts nothing twice`() throws {
    var queue = try deliver(1, keep: 2)
    let spool = try Spool(path: path)
    _ = try spool.load()
    // Nothing can be made there.
    try FileManager.default.createDirectory(atPath: "\(path).\(getpid()).new", withIntermediateDirectories: false)
    #expect(throws: SystemError.self) { try spool.save(queue.state) }
    #expect(queue.add(delivery(4)) == true)
    #expect(throws: SystemError.self) { try spool.append(newestOf: queue) }
    #expect(SpoolContent(parsing: try Array(content())).state.waiting.isEmpty)
    try FileManager.default.removeItem(atPath: "\(path).\(getpid()).new")
    try add(delivery(5), to: &queue, spool)
    #expect(SpoolContent(parsing: try Array(content())).state.waiting.map(\.delivery) == (2...5).map(delivery))
  }

  @Test func `one process at a time has it, and nobody else may read it`() throws {
    let spool = try Spool(path: path)
    #expect { try Spool(path: self.path) } throws: { ($0 as? SystemError)?.code == EWOULDBLOCK }
    var queue = DeliveryQueue()
    for number in 1...600 {
      try add(delivery(number), to: &queue, spool)
    }
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test func `what a process left that died while it wrote is removed, and nothing else`() throws {
    let others = ["other.spool.7.new", "producer.spool.lock.7.new", "producer.spool.new", "producer.spool.x.new"]
    for name in ["producer.spool.7.new", "producer.spool.\(getpid()).new"] + others {
      #expect(FileManager.default.createFile(atPath: "\(folder)/\(name)", contents: Data("half".utf8)))
    }
    try Spool(path: path).save(.init(waiting: [.init(delivery(1))]))
    let left = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(Set(left) == Set(others + ["producer.spool", "producer.spool.lock"]))
  }

  // MARK: The next process

  /// Deliveries that a process has sent in epoch 1.
  func sent(_ numbers: ClosedRange<Int>) -> DeliveryQueue.State {
    .init(waiting: numbers.map { .init(delivery($0), number: .init(epoch: 1, sequence: Int64($0))) })
  }

  @Test func `what the core has counted is not delivered again, and the rest is`() throws {
    var core = VirtualCore()
    _ = core.handle(.open)
    for number in 1...2 { _ = core.handle(.deliver(.init(epoch: 1, sequence: Int64(number)), delivery(number))) }
    var queue = DeliveryQueue(restoring: sent(1...3))
    queue.connected()
    try deliver(&queue, to: &core)
    #expect(core.recorded == (1...3).map(delivery))
  }

  @Test func `what another process delivered over is told of, and what is new is delivered`() throws {
    var core = VirtualCore()
    for _ in 0..<2 { _ = core.handle(.open) }
    _ = core.handle(.deliver(.init(epoch: 2, sequence: 1), delivery(9)))
    var queue = DeliveryQueue(restoring: sent(1...2))
    queue.connected()
    #expect(queue.next() == .open)
    #expect(queue.answered(core.handle(.open)) == .abandoned(2))
    #expect(queue.add(delivery(3)) == true)
    try deliver(&queue, to: &core)
    #expect(core.recorded == [delivery(9), delivery(3)])
  }
}
