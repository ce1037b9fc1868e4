import Testing

@testable import GestureService

@Suite struct `Gestures that were taken` {
  @Test func `are known until their device is quiet`() {
    var taken = TakenGestures()
    for node in ["/sys/event1", "/sys/event10"] {
      for time in 1...3 { taken.note(.init(identity: "\(node) press \(time) 0", time: Int64(time))) }
    }
    taken.forget("/sys/event1")
    #expect(taken.time(of: "/sys/event1 press 3 0") == nil)
    #expect(taken.latest.map(\.identity) == (1...3).map { "/sys/event10 press \($0) 0" })
    taken.note(.init(identity: "/sys/event1 press 4 0", time: 4))
    #expect(taken.time(of: "/sys/event1 press 4 0") == 4)
    #expect(taken.latest.map(\.time) == [1, 2, 3, 4])
  }

  @Test func `keep the time at which they were taken first`() {
    var taken = TakenGestures()
    for time in [5, 6] { taken.note(.init(identity: "/sys/event1 press 1 0", time: Int64(time))) }
    #expect(taken.latest.map(\.time) == [5])
  }

  @Test func `are not more than are needed, the latest`() {
    var taken = TakenGestures()
    for number in 1...5000 { taken.note(.init(identity: "press \(number)", time: Int64(number))) }
    #expect(taken.latest.map(\.time) == (905...5000).map(Int64.init))
    #expect(taken.time(of: "press 904") == nil)
  }
}
