import CounterService
import CounterStore
import Counting
import Foundation
import Platform
import TestKit
import Testing

/// A producer's name is its user's own.
@Suite final class ProducersOfUsersTests {
  private let temporary = TemporaryFolder()
  var folder: String { temporary.path }
  private var time: Int64 = 1_700_000_000_000_000

  func core() throws -> Core { try Core(store: try CounterStore(folder: folder), loop: try EventLoop()) }

  /// Counts one; answers whether that was counted before.
  func count(_ core: Core, _ user: UInt32, epoch: Int64, _ sequence: Int64) throws -> Bool {
    time += 1
    let request = Request(.change(.add(.current, amount: nil)), time: time, cause: Cause(producer: "tally-inputd"))
    let key = Producer.Key(user: user, name: "tally-inputd")
    defer { core.settle() }
    return try core.deliver([request], from: key, epoch: epoch, sequence: sequence).duplicate
  }

  @Test func `nobody is shut out by another user's program of the same name`() throws {
    let core = try core()
    let (own, other) = (Producer.Key(user: 7, name: "tally-inputd"), Producer.Key(user: 8, name: "tally-inputd"))
    #expect(try core.open(own).epoch == 1)
    #expect(try !count(core, 7, epoch: 1, 1))
    #expect(throws: DeliveryError.unknownEpoch) { try count(core, 8, epoch: 1, 1) }
    let opened = try core.open(other)
    #expect(opened.epoch == 1)
    #expect(opened.last == nil)
    #expect(try !count(core, 8, epoch: 1, 1))
    #expect(try !count(core, 7, epoch: 1, 2))
    #expect(try core.open(own).epoch == 2)
    #expect(throws: DeliveryError.fenced(by: 2)) { try count(core, 7, epoch: 1, 3) }
    #expect(try !count(core, 8, epoch: 1, 2))
    #expect(core.ledger.all.map(\.value) == [4])
  }

  /// The journal of the last version in which names were nobody's own; two were delivered in its epoch 2.
  func begin() throws -> Core {
    try FileManager.default.copyItem(
      atPath: Checkout.path("Tests/Unit/CounterStore/Journals/journal-6.sqlite"), toPath: "\(folder)/counters.sqlite")
    return try core()
  }

  @Test func `what is sent again after an upgrade counts once, and what was not sent yet counts`() throws {
    let core = try begin()
    #expect(try count(core, 7, epoch: 2, 2))
    #expect(try !count(core, 7, epoch: 2, 3))
    #expect(core.ledger.all.map(\.value) == [6])
    let opened = try core.open(.init(user: 7, name: "tally-inputd"))
    #expect(opened.epoch == 3)
    #expect(opened.last == .init(epoch: 2, sequence: 3, events: 7...7))
  }

  @Test func `whoever opens the name first after an upgrade, its owner learns what counted`() throws {
    var core: Core? = try begin()
    #expect(try core?.open(.init(user: 8, name: "tally-inputd")).epoch == 3)
    core?.settle()
    core = nil
    let next = try self.core()
    let opened = try next.open(.init(user: 7, name: "tally-inputd"))
    #expect(opened.epoch == 3)
    #expect(opened.last == .init(epoch: 2, sequence: 2, events: 6...6))
    #expect(try !count(next, 7, epoch: 3, 1))
    #expect(next.ledger.all.map(\.value) == [6])
  }
}
