import Synchronization
import Testing

@testable import CoreService

/// The log of calls that took long.
@Suite struct SlowLogTests {
  private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    func add(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
  }

  private let lines = Lines()
  private let log: SlowLog

  init() { log = SlowLog { [lines] in lines.add($0) } }

  @Test func `a call of more than 50 ms is logged with its method and user`() {
    log.note("Add", of: 1000, took: 50_000_000, in: .loop, now: 1)
    #expect(lines.all == [])
    log.note("Add", of: 1000, took: 51_900_000, in: .loop, now: 2)
    log.note("Totals", of: 1001, took: 702_000_000, in: .reader, now: 3)
    #expect(
      lines.all == [
        "Add, called by the user with the ID 1000, took 51 ms; other calls waited.",
        "Totals, called by the user with the ID 1001, took 702 ms of processor time.",
      ])
  }

  @Test func `slow calls of a method are logged once a minute and counted`() {
    let second: Int64 = 1_000_000_000
    for time in Int64(0)..<130 { log.note("Past", of: 7, took: second, in: .reader, now: time * second) }
    log.note("Past", of: 7, took: 1, in: .reader, now: 1000 * second)
    #expect(
      lines.all == [
        "Past, called by the user with the ID 7, took 1000 ms of processor time.",
        "Past, called by the user with the ID 7, took 1000 ms of processor time. Since the last such line 59 more calls of "
          + "Past were slow.",
        "Past, called by the user with the ID 7, took 1000 ms of processor time. Since the last such line 59 more calls of "
          + "Past were slow.",
      ])
  }
}
