import Tallymark
import Testing

struct BackoffTests {
  @Test func `waits double up to two seconds, and start again after a success`() {
    var backoff = Backoff()
    #expect((0..<8).map { _ in backoff.next() / 1_000_000 } == [50, 100, 200, 400, 800, 1600, 2000, 2000])
    backoff.reset()
    #expect(backoff.next() == 50_000_000)
  }
}
