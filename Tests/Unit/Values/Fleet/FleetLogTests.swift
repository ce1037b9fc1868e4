import Testing

@testable import Fleet

@Suite struct `The log of messages of others` {
  @Test func `has few lines, and the number of those left out`() {
    var log = FleetLog()
    let lines = (0..<1000).compactMap { log.admit("line\n\($0)", at: $0 * 1_000_000) }
    #expect(lines == (0..<Int64(FleetLog.most)).map { "line \($0)" })
    #expect(
      log.admit("last", at: 2 * FleetLog.interval)
        == "last Since the last such line \(1000 - FleetLog.most) more were left out.")
    #expect(log.admit("last", at: 2 * FleetLog.interval) == "last")
  }
}
