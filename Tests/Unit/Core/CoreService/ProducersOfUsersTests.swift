import CoreService
import Counting
import Foundation
import Journal
import Linux
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
    defer { core.commit() }
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
}
