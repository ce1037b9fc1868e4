import Counting
import Journal
import TestKit
import Testing

@testable import CoreService
@testable import Linux

@Suite struct `The alarm of a period's end` {
  /// As where the clock was set back between its ringing and its being heard.
  @Test func `rings again where it rang too early`() throws {
    let temporary = TemporaryFolder()
    let loop = try EventLoop()
    let core = try Core(store: try CounterStore(folder: temporary.path), loop: loop)
    let daily = Change.create(name: "visitors", [.period: .text("daily 00:00")])
    _ = try core.perform([Request(.change(daily), time: Clock.microsecondsSince1970(), cause: Cause(producer: "test"))])
    core.commit()
    let alarm = try #require(core.alarm)
    #expect(alarm.isArmed)
    while try loop.runOnce(waiting: 0) {}
    alarm.arm(at: 0)
    try Wait.until("the alarm rings") { try loop.runOnce(waiting: 20_000) }
    #expect(alarm.isArmed)
  }
}
