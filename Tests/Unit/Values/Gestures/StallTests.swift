import Gestures
import TestKit
import Testing

/// Recognition depends on the events' own times, never on when they are handled.
@Suite(.seeded) struct StallTests {
  static let names = RecordingTests.verdicts.map(\.name) + ["quanta-touch-hover"]

  /// Interests that make as much as possible wait.
  static let interests: [[Interest]] = [[], interests(.standard), interests(.eager)]

  private static func interests(_ timing: Timing) -> [Interest] {
    (1...5).flatMap { fingers in
      ([.touch, .tap, .longPress] + Gesture.Kind.tap.repeats).flatMap { kind in
        Zone.halves.map { .touch(kind, fingers: fingers, zone: $0, timing: timing) }
      }
    }
      + ([.press, .release, .longPress, .hold] + Gesture.Kind.press.repeats).map {
        Interest($0, .keys(codes: [], scans: []), timing: timing)
      } + [Interest(.chord, .keys(codes: [256, 257], scans: []), timing: timing)]
  }

  /// Drives a recogniser as the daemon does, which sleeps until something is to be read or due, and then for a while
  /// more, as a busy machine makes it.
  private static func live(
    _ device: DeviceDescription, _ frames: [Frame], _ interests: [Interest], random: inout SeededRandom
  ) -> [Gesture] {
    var recognizer = DeviceRecognizer(description: device, interests: interests)
    var gestures: [Gesture] = []
    var rest = frames[...]
    while let next = rest.first {
      var now = min(next.time, recognizer.nextDeadline ?? .max)
      if Int.random(in: 0..<8, using: &random) == 0 { now += .random(in: 50_000_000...500_000_000, using: &random) }
      while let frame = rest.first, frame.time <= now {
        gestures += recognizer.handle(frame)
        rest.removeFirst()
      }
      if recognizer.nextDeadline ?? .max <= now { gestures += recognizer.advance(to: now) }
    }
    return gestures + recognizer.advance(to: (frames.last?.time ?? 0) + 5_000_000_000)
  }

  @Test(arguments: names + Recording.own)
  func `a recording gives the same in one burst, in real time, and with stalls anywhere`(
    name: String
  ) throws {
    let isBare = name.hasPrefix("quanta")
    let (device, frames) = try Recording.load(name, device: isBare ? .screen(range: 1920) : nil)
    for (number, interests) in Self.interests.enumerated() {
      var recognizer = DeviceRecognizer(description: device, interests: interests)
      let burst =
        frames.flatMap { recognizer.handle($0) }
        + recognizer.advance(to: (frames.last?.time ?? 0) + 5_000_000_000)
      #expect(number == 0 || isBare || !burst.isEmpty)
      var live = DeviceRecognizer(description: device, interests: interests)
      var prompt: [Gesture] = []
      for frame in frames {
        while let due = live.nextDeadline, due < frame.time { prompt += live.advance(to: due) }
        prompt += live.handle(frame)
      }
      prompt += live.advance(to: (frames.last?.time ?? 0) + 5_000_000_000)
      #expect(prompt == burst, "interests \(number), in real time")
      for stall in 0..<Rounds.times(10) {
        var random = Seed.generator(case: stall)
        #expect(Self.live(device, frames, interests, random: &random) == burst, "interests \(number), stalls \(stall)")
      }
    }
  }

  @Test(arguments: names) func `a recording gives the same behind another one as alone`(name: String) throws {
    let isBare = name.hasPrefix("quanta")
    let (device, frames) = try Recording.load(name, device: isBare ? .screen(range: 1920) : nil)
    // A second later on the same device, whose slots and keys stand as the first time left them.
    guard let first = frames.first, let last = frames.last, name != "plantronics-buttons" else { return }
    let between = Frame(time: last.time, events: [InputEvent(type: 3, code: 0x2f, value: 0)], isResync: true)
    let later = frames.map {
      Frame(time: $0.time + last.time - first.time + 1_000_000_000, events: $0.events, isResync: $0.isResync)
    }
    for interests in Self.interests {
      let once = gestures(of: device, frames, interests).map(\.words)
      #expect(gestures(of: device, frames + [between] + later, interests).map(\.words) == once + once)
    }
  }
}
