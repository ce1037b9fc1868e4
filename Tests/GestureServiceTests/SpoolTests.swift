import Bindings
import Foundation
import Platform
import TestKit
import Testing

@testable import GestureService

final class SpoolTests {
  private let temporary = TemporaryFolder()
  var folder: String { temporary.path }
  var path: String { "\(folder)/producer.spool" }

  /// A queue that has delivered so many and keeps so many more.
  func queue(acknowledged: Int, waiting: Int) -> DeliveryQueue {
    var core = VirtualCore()
    var queue = DeliveryQueue()
    queue.connected()
    for number in 1...acknowledged {
      #expect(queue.add(delivery(number)) == true)
      while let request = queue.next() { #expect(queue.answered(core.handle(request)) == nil) }
    }
    for number in 1...waiting { #expect(queue.add(delivery(acknowledged + number)) == true) }
    return queue
  }

  @Test func `what was taken and not acknowledged is there for the next process, under its numbers`() throws {
    var queue = queue(acknowledged: 3, waiting: 2)
    do {
      let spool = try Spool(path: path)
      try spool.save(#require(queue.state))
      #expect(queue.add(delivery(6)) == true)
      try spool.append(delivery(6), to: queue)
    }
    let expected = DeliveryQueue.State(epoch: 1, first: 4, waiting: [delivery(4), delivery(5), delivery(6)])
    #expect(try Spool(path: path).load() == expected)
    #expect(queue.state == expected)
  }

  @Test func `everything that a delivery says is kept`() throws {
    let changes = [
      Change(
        verb: "subtract", counter: "people", amount: "2.5", time: 17, device: "pedal", gesture: "double-press", made: 16
      ),
      Change(verb: "reset", counter: nil, amount: nil, time: 17, device: "pedal", gesture: "press", scope: .all),
      Change(verb: "reset", counter: nil, amount: nil, time: 17, device: "pedal", gesture: "press", scope: .group("a")),
    ]
    let delivery = Delivery(changes, origin: "/sys/x", identity: "x")
    do {
      let spool = try Spool(path: path)
      try spool.append(delivery, to: DeliveryQueue())
    }
    #expect(try Spool(path: path).load().waiting == [delivery])
  }

  @Test func `a line that was cut off anywhere takes only itself away, and what comes behind it is whole`() throws {
    for number in 1...2 { try Spool(path: path).append(delivery(number), to: DeliveryQueue()) }
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    for length in 0..<whole.count {
      try whole.prefix(length).write(to: URL(fileURLWithPath: path))
      let spool = try Spool(path: path)
      let read = try spool.load().waiting
      #expect(read == (length >= whole.count / 2 ? [delivery(1)] : []))
      try spool.append(delivery(3), to: DeliveryQueue())
      #expect(try spool.load().waiting == read + [delivery(3)])
    }
  }

  @Test func `a gesture that was taken is known to the next process, acknowledged or not`() throws {
    var queue = DeliveryQueue()
    var core = VirtualCore()
    queue.connected()
    do {
      let spool = try Spool(path: path)
      for number in 1...600 {
        let delivery = Delivery(delivery(number).changes, identity: "pedal press \(number)")
        #expect(queue.add(delivery) == true)
        try spool.append(delivery, to: queue)
        if number % 3 == 0 {
          while let request = queue.next() { #expect(queue.answered(core.handle(request)) == nil) }
          try spool.save(#require(queue.state))
        }
      }
    }
    let next = DeliveryQueue(restoring: try Spool(path: path).load())
    #expect(next.taken == queue.taken)
    #expect(next.taken.time(of: "pedal press 1") == 1)
    #expect(next.taken.time(of: "pedal press 600") == 600)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count < 256 * 256)
  }

  @Test func `one process at a time has it, and nobody else may read it`() throws {
    let spool = try Spool(path: path)
    #expect { try Spool(path: self.path) } throws: { ($0 as? SystemError)?.code == EWOULDBLOCK }
    for number in 1...600 { try spool.append(delivery(number), to: DeliveryQueue()) }
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test func `what a process left that died while it wrote is removed, and nothing else`() throws {
    let others = ["other.spool.7.new", "producer.spool.lock.7.new", "producer.spool.new", "producer.spool.x.new"]
    for name in ["producer.spool.7.new", "producer.spool.\(getpid()).new"] + others {
      #expect(FileManager.default.createFile(atPath: "\(folder)/\(name)", contents: Data("half".utf8)))
    }
    try Spool(path: path).save(queue(acknowledged: 1, waiting: 1).state ?? .init())
    let left = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(Set(left) == Set(others + ["producer.spool", "producer.spool.lock"]))
  }

  @Test func `what the core has counted is not delivered again, and the rest is`() {
    var core = VirtualCore()
    _ = core.handle(.open)
    for number in 1...2 { _ = core.handle(.deliver(epoch: 1, sequence: Int64(number), delivery(number))) }
    var queue = DeliveryQueue(restoring: .init(epoch: 1, waiting: (1...3).map(delivery)))
    queue.connected()
    while let request = queue.next() { #expect(queue.answered(core.handle(request)) == nil) }
    #expect(core.recorded == (1...3).map(delivery))
  }

  @Test func `what another process delivered over is told of, and what is new is delivered`() {
    var core = VirtualCore()
    for _ in 0..<2 { _ = core.handle(.open) }
    _ = core.handle(.deliver(epoch: 2, sequence: 1, delivery(9)))
    var queue = DeliveryQueue(restoring: .init(epoch: 1, waiting: [delivery(1), delivery(2)]))
    queue.connected()
    #expect(queue.next() == .open)
    #expect(queue.answered(core.handle(.open)) == .abandoned(2))
    #expect(queue.add(delivery(3)) == true)
    while let request = queue.next() { #expect(queue.answered(core.handle(request)) == nil) }
    #expect(core.recorded == [delivery(9), delivery(3)])
  }
}
