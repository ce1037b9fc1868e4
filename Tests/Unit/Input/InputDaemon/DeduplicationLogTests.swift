import Testing

@testable import InputDaemon

@Suite struct `Seen gestures` {
  @Test func `are known until their device is quiet`() {
    var seen = DeduplicationLog()
    for node in ["/sys/event1", "/sys/event10"] {
      for time in 1...3 { seen.note(.init(identity: "\(node) press \(time) 0", time: Int64(time))) }
    }
    seen.forget("/sys/event1")
    #expect(seen.time(of: "/sys/event1 press 3 0") == nil)
    #expect(seen.latest.map(\.identity) == (1...3).map { "/sys/event10 press \($0) 0" })
    seen.note(.init(identity: "/sys/event1 press 4 0", time: 4))
    #expect(seen.time(of: "/sys/event1 press 4 0") == 4)
    #expect(seen.latest.map(\.time) == [1, 2, 3, 4])
  }

  @Test func `keep the time at which they were seen first`() {
    var seen = DeduplicationLog()
    for time in [5, 6] { seen.note(.init(identity: "/sys/event1 press 1 0", time: Int64(time))) }
    #expect(seen.latest.map(\.time) == [5])
  }

  @Test func `are not more than are needed, the latest`() {
    var seen = DeduplicationLog()
    for number in 1...5000 { seen.note(.init(identity: "press \(number)", time: Int64(number))) }
    #expect(seen.latest.map(\.time) == (905...5000).map(Int64.init))
    #expect(seen.time(of: "press 904") == nil)
  }
}
