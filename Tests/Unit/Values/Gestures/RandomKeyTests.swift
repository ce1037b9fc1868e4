import Gestures
import TestKit
import Testing

/// Hands that do anything with a key whose switch bounces, beside a shadow that knows what they meant.
@Suite(.seeded) struct RandomKeyTests {
  struct Press {
    let start: Int64
    let end: Int64
    var isLong: Bool { end - start >= 500 }
  }

  struct Wanted {
    var interests: [Interest] = []
    let kinds: Set<Gesture.Kind>

    init(random: inout SeededRandom) {
      let all: [Gesture.Kind] = [.release, .doublePress, .triplePress, .longPress, .hold]
      kinds = Set(all.filter { _ in Bool.random(using: &random) } + [.press])
      let timing = Bool.random(using: &random) ? Timing.eager : .standard
      let isNamed = Bool.random(using: &random)
      interests = kinds.map { Interest($0, .keys(codes: isNamed ? [48] : [], scans: []), timing: timing) }
    }

    /// What presses must be taken for, single ones and rows of them.
    func words(for presses: [Press]) -> [String] {
      let most = kinds.contains(.triplePress) ? 3 : kinds.contains(.doublePress) ? 2 : 1
      var words: [String] = []
      var row: [Press] = []
      func close() {
        switch row.count {
        case 3: words.append("triple-press 48")
        case 2 where kinds.contains(.doublePress): words.append("double-press 48")
        default: words += row.map { _ in "press 48" }
        }
        row = []
      }
      for press in presses {
        if let last = row.last, press.start - last.end > 400 { close() }
        if press.isLong, kinds.contains(.longPress) {
          close()
          words.append("long-press 48")
          continue
        }
        row.append(press)
        if row.count == most || press.isLong { close() }
      }
      close()
      return words
    }
  }

  @Test(arguments: 0..<Rounds.times(100)) func `presses are taken for what they are, however the switch bounces`(
    number: Int
  ) {
    var random = Seed.generator(case: number)
    let wanted = Wanted(random: &random)
    var reports = Reports()
    var presses: [Press] = []
    var time: Int64 = 1000
    for _ in 0..<30 {
      let isLong = Int.random(in: 0..<6, using: &random) == 0
      let press = Press(start: time, end: time + .random(in: isLong ? 600...1500 : 30...250, using: &random))
      presses.append(press)
      for (edge, value) in [(press.start, 1), (press.end, 0)] as [(Int64, Int32)] {
        reports.report(edge, [(1, 48, value)])
        var bounce = edge
        for _ in 0..<Int.random(in: 0...2, using: &random) {
          for shaken in [1 - value, value] {
            bounce += .random(in: 1...2, using: &random)
            reports.report(bounce, [(1, 48, shaken)])
          }
        }
      }
      time = press.end + .random(in: Bool.random(using: &random) ? 40...370 : 430...800, using: &random)
    }
    var recognizer = DeviceRecognizer(description: .pedal, interests: wanted.interests)
    var gestures: [Gesture] = []
    for frame in reports.frames {
      gestures += recognizer.handle(frame)
      #expect(recognizer.nextDeadline ?? .max > frame.time)
    }
    gestures += recognizer.advance(to: 1 << 50)
    #expect(recognizer.nextDeadline == nil)
    let net = gestures.net
    let others: Set<Gesture.Kind> = [.release, .hold]
    #expect(net.filter { !others.contains($0.kind) }.map(\.words) == wanted.words(for: presses))
    let ends = presses.flatMap { _ in ["hold 48 on", "hold 48 off"] }
    #expect(net.filter { $0.kind == .hold }.map(\.words) == (wanted.kinds.contains(.hold) ? ends : []))
    #expect(net.count { $0.kind == .release } == (wanted.kinds.contains(.release) ? presses.count : 0))
  }
}
