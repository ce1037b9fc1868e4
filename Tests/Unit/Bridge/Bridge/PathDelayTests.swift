import Testing

@testable import Bridge

@Suite struct PathDelayTests {
  private let second: Int64 = 1_000_000_000

  @Test func `a message that returns in time ends a delay`() {
    var path = PathDelay()
    let sent = [0, 1].map { path.next(at: $0 * second) }
    #expect(sent == ["0", nil])
    #expect(!path.isLate(at: 4 * second) && path.isLate(at: 5 * second))
    path.hear("0", at: 8 * second)
    #expect(path.isLate(at: 8 * second))
    let next = path.next(at: 8 * second)
    path.hear(next ?? "", at: 9 * second)
    #expect(!path.isLate(at: 9 * second))
  }

  @Test func `a lost message is late until the next one returns`() {
    var path = PathDelay()
    let sent = [0, 119, 120].map { path.next(at: $0 * second) }
    #expect(sent == ["0", nil, "\(120 * second)"])
    #expect(path.isLate(at: 120 * second))
    path.hear("0", at: 121 * second)
    #expect(path.isLate(at: 121 * second))
    path.hear("\(120 * second)", at: 122 * second)
    #expect(!path.isLate(at: 122 * second))
  }
}
