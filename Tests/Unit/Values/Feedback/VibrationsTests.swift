import Feedback
import Testing

/// Whoever knows until when a motor may run must not be wrong about it.
@Suite struct VibrationsTests {
  private let short = Pattern(steps: [.init(level: 1, milliseconds: 60)], event: .added)
  private let long = Pattern(steps: [.init(level: 1, milliseconds: 500)], event: .reset)

  @Test func `a single pulse ends when it ends`() {
    var vibrations = Vibrations()
    #expect(vibrations.end(adding: short, at: 1_000_000_000) == 1_060_000_000)
    #expect(vibrations.end(adding: short, at: 5_000_000_000) == 5_060_000_000)
  }

  @Test func `whatever is added when, the motor has stopped by then`() {
    for gap in stride(from: Int64(1_000_000), to: 900_000_000, by: 39_000_000) {
      for patterns in [[short, short, long, short], [long, short, short, long], [long, long, long, short]] {
        var (queue, vibrations) = (PlaybackQueue(), Vibrations())
        var (time, promised, running): (Int64, Int64, Bool) = (0, 0, false)
        var last: Int64 = 0
        let end = gap * Int64(patterns.count) + 3_000_000_000
        while time < end {
          if time.isMultiple(of: gap), time / gap < Int64(patterns.count) {
            queue.add(patterns[Int(time / gap)])
            promised = vibrations.end(adding: patterns[Int(time / gap)], at: time)
          }
          for action in queue.advance(to: time) { if case .end = action { running = false } else { running = true } }
          #expect(!running || time <= promised, "\(gap) \(time)")
          if running { last = time }
          time += 1_000_000
        }
        #expect(last > 0, "the motor has run")
      }
    }
  }

  @Test func `a flood makes it no longer than two patterns`() {
    var vibrations = Vibrations()
    for index in 0..<1000 {
      let time = Int64(index) * 1_000_000
      #expect(vibrations.end(adding: long, at: time) - time <= 2 * 500_000_000 + 150_000_000)
    }
  }
}
