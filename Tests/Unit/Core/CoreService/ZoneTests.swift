import Calendars
import Counting
import Foundation
import Journal
import Linux
import TestKit
import Testing

@testable import CoreService

@Suite final class `The zone of a period` {
  private let temporary = TemporaryFolder()
  var base: String { temporary.path }
  var zone: String { "\(base)/zones/Berlin" }
  let cause = Cause(producer: "test")

  init() throws {
    try FileManager.default.createDirectory(atPath: "\(base)/zones", withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: "/usr/share/zoneinfo/Europe/Berlin", toPath: zone)
  }

  func core(_ loop: EventLoop) throws -> Core {
    let zones = ZoneFolder(path: "\(base)/zones")
    return try Core(store: try CounterStore(folder: "\(base)/state"), loop: loop, zones: zones)
  }

  func perform(_ change: Change, _ core: Core) throws {
    let now = Clock.microsecondsSince1970()
    _ = try core.perform([Request(.change(change), time: now, cause: cause)])
    core.commit()
  }

  /// Short of descriptors while it is asked for the first time since the core was started.
  @Test func `is known from the start, so that no day ends by another one`() throws {
    do { try perform(.create(name: "x", [.period: .text("daily 00:00 Berlin")]), try core(EventLoop())) }
    let core = try core(EventLoop())
    try FileManager.default.removeItem(atPath: zone)
    try FileManager.default.createSymbolicLink(atPath: zone, withDestinationPath: "Berlin")
    let clock = SteadyPeriod().clock
    try perform(.set(.named("x"), [.period: .text("daily \(clock) Berlin")]), core)
    let now = Clock.microsecondsSince1970() / 1_000_000
    let berlin = try ZoneFolder().zone(named: "Europe/Berlin")
    let expected = try #require(Schedule("daily \(clock)")?.next(after: now, in: berlin))
    #expect(try core.ledger.find(.named("x")).renewsAt == expected * 1_000_000)
  }
}
