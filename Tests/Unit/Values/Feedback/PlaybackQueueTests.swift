import Feedback
import Testing

private let millisecond: Int64 = 1_000_000

/// A pattern of pulses, as milliseconds on and off.
private func pattern(_ event: FeedbackEvent, _ milliseconds: Int32...) -> Pattern {
  Pattern(
    steps: milliseconds.enumerated().map { .init(level: $0.offset % 2 == 0 ? 1 : 0, milliseconds: $0.element) },
    event: event)
}

struct TurnsTests {
  /// Plays patterns that are added at times (milliseconds), and gives when each pulse began and what it was for.
  private func pulses(_ additions: [(time: Int64, pattern: Pattern)]) -> [String] {
    var queue = PlaybackQueue()
    var pulses: [String] = []
    var event = FeedbackEvent.added
    func note(_ actions: [PlaybackQueue.Action], at time: Int64) {
      for action in actions {
        switch action {
        case .begin(let pattern): event = pattern.event
        case .step(let step) where step.level > 0: pulses.append("\(time / millisecond) \(event)")
        case .step, .end: break
        }
      }
    }
    func advance(until end: Int64) {
      while let deadline = queue.nextDeadline, deadline < end { note(queue.advance(to: deadline), at: deadline) }
    }
    for (time, pattern) in additions {
      advance(until: time * millisecond)
      queue.add(pattern)
      note(queue.advance(to: time * millisecond), at: time * millisecond)
    }
    advance(until: .max)
    return pulses
  }

  @Test func `a pattern is played step by step and ends`() {
    var queue = PlaybackQueue()
    let double = pattern(.subtracted, 60, 100, 60)
    queue.add(double)
    #expect(queue.advance(to: 5) == [.begin(double), .step(double.steps[0])])
    #expect(queue.nextDeadline == 5 + 60 * millisecond)
    #expect(queue.advance(to: 5 + 60 * millisecond - 1) == [])
    #expect(queue.advance(to: 5 + 60 * millisecond) == [.step(double.steps[1])])
    #expect(queue.advance(to: 5 + 160 * millisecond) == [.step(double.steps[2])])
    #expect(queue.advance(to: 5 + 220 * millisecond) == [.end])
    #expect(queue.nextDeadline == nil)
  }

  @Test func `taps as fast as people make them are felt one by one`() {
    #expect(
      pulses((0..<5).map { (Int64($0) * 125, pattern(.added, 60)) }) == [
        "0 added", "125 added", "250 added", "375 added", "500 added",
      ])
  }

  @Test func `a flood lasts no longer than two patterns`() {
    #expect(pulses((0..<50).map { (Int64($0), pattern(.added, 60)) }) == ["0 added", "100 added"])
  }

  @Test func `what differs is told apart by a pause`() {
    #expect(
      pulses([(0, pattern(.added, 60)), (10, pattern(.subtracted, 60, 100, 60))]) == [
        "0 added", "210 subtracted", "370 subtracted",
      ])
  }

  @Test func `of what waits the more important pattern is played, and of equals the later one`() {
    #expect(
      pulses([(0, pattern(.added, 60)), (1, pattern(.refused, 500)), (2, pattern(.added, 60))]) == [
        "0 added", "210 refused",
      ])
    #expect(
      pulses([
        (0, pattern(.added, 60)), (1, pattern(.undone, 60)), (2, pattern(.undone, 500)), (3, pattern(.refused, 500)),
      ])
        == ["0 added", "210 refused"])
  }

  @Test func `steps that were slept through are not hurried`() {
    var queue = PlaybackQueue()
    let double = pattern(.subtracted, 60, 100, 60)
    queue.add(double)
    _ = queue.advance(to: 0)
    #expect(queue.advance(to: 900 * millisecond) == [.step(double.steps[1])])
    #expect(queue.nextDeadline == 1000 * millisecond)
  }

  @Test func `a pattern without steps is none`() {
    var queue = PlaybackQueue()
    queue.add(Pattern(steps: [], event: .added))
    #expect(queue.nextDeadline == nil)
  }
}
