import Feedback
import Testing

private let millisecond: Int64 = 1_000_000

/// A piece of pulses, as milliseconds on and off.
private func piece(_ occasion: Occasion, _ milliseconds: Int32...) -> Piece {
  Piece(
    steps: milliseconds.enumerated().map { .init(level: $0.offset % 2 == 0 ? 1 : 0, milliseconds: $0.element) },
    occasion: occasion)
}

struct TurnsTests {
  /// Plays pieces that are added at times (milliseconds), and gives when each pulse began and what it was for.
  private func pulses(_ additions: [(time: Int64, piece: Piece)]) -> [String] {
    var turns = Turns()
    var pulses: [String] = []
    var occasion = Occasion.added
    func note(_ actions: [Turns.Action], at time: Int64) {
      for action in actions {
        switch action {
        case .begin(let piece): occasion = piece.occasion
        case .step(let step) where step.level > 0: pulses.append("\(time / millisecond) \(occasion)")
        case .step, .end: break
        }
      }
    }
    func advance(until end: Int64) {
      while let deadline = turns.nextDeadline, deadline < end { note(turns.advance(to: deadline), at: deadline) }
    }
    for (time, piece) in additions {
      advance(until: time * millisecond)
      turns.add(piece)
      note(turns.advance(to: time * millisecond), at: time * millisecond)
    }
    advance(until: .max)
    return pulses
  }

  @Test func `a piece is played step by step and ends`() {
    var turns = Turns()
    let double = piece(.subtracted, 60, 100, 60)
    turns.add(double)
    #expect(turns.advance(to: 5) == [.begin(double), .step(double.steps[0])])
    #expect(turns.nextDeadline == 5 + 60 * millisecond)
    #expect(turns.advance(to: 5 + 60 * millisecond - 1) == [])
    #expect(turns.advance(to: 5 + 60 * millisecond) == [.step(double.steps[1])])
    #expect(turns.advance(to: 5 + 160 * millisecond) == [.step(double.steps[2])])
    #expect(turns.advance(to: 5 + 220 * millisecond) == [.end])
    #expect(turns.nextDeadline == nil)
  }

  @Test func `taps as fast as people make them are felt one by one`() {
    #expect(
      pulses((0..<5).map { (Int64($0) * 125, piece(.added, 60)) }) == [
        "0 added", "125 added", "250 added", "375 added", "500 added",
      ])
  }

  @Test func `a flood lasts no longer than two pieces`() {
    #expect(pulses((0..<50).map { (Int64($0), piece(.added, 60)) }) == ["0 added", "100 added"])
  }

  @Test func `what differs is told apart by a pause`() {
    #expect(
      pulses([(0, piece(.added, 60)), (10, piece(.subtracted, 60, 100, 60))]) == [
        "0 added", "210 subtracted", "370 subtracted",
      ])
  }

  @Test func `of what waits the more important piece is played, and of equals the later one`() {
    #expect(
      pulses([(0, piece(.added, 60)), (1, piece(.refused, 500)), (2, piece(.added, 60))]) == ["0 added", "210 refused"])
    #expect(
      pulses([(0, piece(.added, 60)), (1, piece(.undone, 60)), (2, piece(.undone, 500)), (3, piece(.refused, 500))])
        == ["0 added", "210 refused"])
  }

  @Test func `steps that were slept through are not hurried`() {
    var turns = Turns()
    let double = piece(.subtracted, 60, 100, 60)
    turns.add(double)
    _ = turns.advance(to: 0)
    #expect(turns.advance(to: 900 * millisecond) == [.step(double.steps[1])])
    #expect(turns.nextDeadline == 1000 * millisecond)
  }

  @Test func `a piece without steps is none`() {
    var turns = Turns()
    turns.add(Piece(steps: [], occasion: .added))
    #expect(turns.nextDeadline == nil)
  }
}
