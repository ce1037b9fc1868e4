import Foundation
import Gestures
import TestKit
import Testing

/// Scenes in which a person's touches were not all counted once: what the hands did against the count, with the bindings
/// that a touchscreen has by default.
///
/// No recordings of drumming hands are to be had. Durations and pauses follow measured fast tapping (82 to 110 ms down,
/// 125 to 153 ms up), reports come every 7 to 15 ms as on the recorded panels, and a dropout lasts 20 to 35 ms, as
/// raspberrypi/linux#4749 has it.
@Suite(.seeded) struct EveryFingerTests {
  /// Panels by their size in millimetres, with and without a resolution.
  struct Panel: CustomTestStringConvertible, Sendable {
    let name: String
    let width: Double
    let height: Double
    let columns: Int32
    let rows: Int32
    let statesResolution: Bool

    var testDescription: String { name }

    var isShapeKnown: Bool { statesResolution || columns != rows }

    init(
      _ name: String, _ width: Double, _ height: Double, columns: Int32, rows: Int32, statesResolution: Bool = false
    ) {
      (self.name, self.width, self.height) = (name, width, height)
      (self.columns, self.rows, self.statesResolution) = (columns, rows, statesResolution)
    }

    var device: DeviceDescription {
      func axis(_ range: Int32, _ length: Double) -> DeviceDescription.Axis {
        .init(minimum: 0, maximum: range, resolution: statesResolution ? Int32(Double(range) / length) : 0)
      }
      return .screen().with {
        $0.axes[0x35] = axis(columns, width)
        $0.axes[0x36] = axis(rows, height)
      }
    }

    /// The same panel with protocol A and without tracking ids.
    var listing: DeviceDescription {
      device.with {
        $0.axes[0x2f] = nil
        $0.codes[3]?.remove(0x2f)
      }
    }

    func place(_ x: Double, _ y: Double) -> (x: Int32, y: Int32) {
      (Int32(x / width * Double(columns)), Int32(y / height * Double(rows)))
    }

    var middle: (x: Int32, y: Int32) { place(width / 2, height / 2) }
  }

  static let panels = [
    Panel("5 inches, pixels", 110, 62, columns: 800, rows: 480),
    Panel("10 inches", 217, 136, columns: 4340, rows: 2720, statesResolution: true),
    Panel("24 inches, 4096 steps", 531, 299, columns: 4096, rows: 4096),
    Panel("24 inches, pixels", 531, 299, columns: 1920, rows: 1080),
    Panel("24 inches, tall, 4096 steps", 299, 531, columns: 4096, rows: 4096),
    Panel("65 inches, 32767 steps", 1439, 809, columns: 32767, rows: 32767),
  ]

  /// Plays reports and returns the net count.
  private func count(_ device: DeviceDescription, _ reports: Reports) -> Int {
    var recognizer = DeviceRecognizer(description: device, interests: .defaults)
    var gestures = reports.frames.flatMap { recognizer.advance(to: $0.time) + recognizer.handle($0) }
    gestures += recognizer.advance(to: 1 << 50)
    return gestures.net.reduce(0) { $0 + $1.defaultCount }
  }

  private func count(_ panel: Panel, _ reports: Reports) -> Int { count(panel.device, reports) }

  /// A contact from one time to another, in milliseconds, at a place in millimetres that follows from the time since then.
  private func trace(
    _ panel: Panel, slot: Int32, from start: Int64, to end: Int64, into reports: inout Reports,
    random: inout SeededRandom, dropout: ClosedRange<Int64>? = nil, at place: (Int64) -> (Double, Double)
  ) {
    func coordinates(_ time: Int64) -> [(UInt16, UInt16, Int32)] {
      let at = place(time - start)
      let (x, y) = panel.place(at.0, at.1)
      return [(3, 0x35, x), (3, 0x36, y)]
    }
    func id() -> (UInt16, UInt16, Int32) { (3, 0x39, .random(in: 1...65535, using: &random)) }
    reports.report(start, [(3, 0x2f, slot), id()] + coordinates(start))
    var time = start + 8
    var isLost = false
    while time < end {
      if let dropout, dropout.contains(time) {
        if !isLost { reports.report(time, [(3, 0x2f, slot), (3, 0x39, -1)]) }
        isLost = true
      } else if isLost {
        reports.report(time, [(3, 0x2f, slot), id()] + coordinates(time))
        isLost = false
      } else {
        reports.report(time, [(3, 0x2f, slot)] + coordinates(time))
      }
      time += .random(in: 7...15, using: &random)
    }
    reports.report(end, [(3, 0x2f, slot), (3, 0x39, -1)])
  }

  // MARK: Drumming

  @Test(arguments: 0..<Rounds.times(6), panels) func `two thumbs that drum count every tap`(
    number: Int, panel: Panel
  ) {
    var random = Seed.generator(case: number)
    var reports = Reports()
    var taps = 0
    for slot in 0...1 as ClosedRange<Int32> {
      let x = panel.width * (slot == 0 ? 0.3 : 0.7)
      var time = Int64.random(in: 1000...1100, using: &random)
      for _ in 0..<Int.random(in: 8...15, using: &random) {
        // Now and then a slow one.
        let isSlow = Int.random(in: 0..<10, using: &random) == 0
        let end = time + .random(in: isSlow ? 500...1500 : 60...250, using: &random)
        let y = panel.height / 2 + .random(in: -2...2, using: &random)
        trace(panel, slot: slot, from: time, to: end, into: &reports, random: &random) { _ in (x, y) }
        taps += 1
        time = end + .random(in: 60...160, using: &random)
      }
    }
    #expect(count(panel, reports) == taps)
  }

  @Test(arguments: panels) func `fingers that tap in turn 16 mm apart count each`(panel: Panel) {
    var random = Seed.generator(case: 0)
    var reports = Reports()
    for tap in 0..<6 as Range<Int64> {
      let x = panel.width / 2 + (tap % 2 == 0 ? 8 : -8)
      let start = 1000 + tap * 105
      trace(panel, slot: 0, from: start, to: start + 80, into: &reports, random: &random) { _ in (x, panel.height / 2) }
    }
    #expect(count(panel, reports) == 6)
  }

  /// A contact: from when to when it is there, in milliseconds, and where in millimetres, by the time since it landed.
  typealias Touch = (start: Int64, end: Int64, place: (Int64) -> (Double, Double))

  /// Reports of a panel of protocol A without tracking ids, one every so many milliseconds.
  private func lists(_ panel: Panel, of touches: [Touch], every interval: Int64) -> Reports {
    var reports = Reports()
    var wasTouched = false
    for time in stride(from: 1000, through: (touches.map(\.end).max() ?? 0) + interval, by: Int(interval)) {
      var events: [(UInt16, UInt16, Int32)] = []
      for touch in touches where (touch.start..<touch.end).contains(Int64(time)) {
        let at = touch.place(Int64(time) - touch.start)
        let (x, y) = panel.place(at.0, at.1)
        events += [(3, 0x35, x), (3, 0x36, y), (0, 2, 0)]
      }
      if !events.isEmpty || wasTouched { reports.report(Int64(time), events.isEmpty ? [(0, 2, 0)] : events) }
      wasTouched = !events.isEmpty
    }
    return reports
  }

  @Test(arguments: 0..<Rounds.times(6), panels.filter { $0.width > 200 })
  func `two thumbs that drum on a panel without tracking ids count every tap`(number: Int, panel: Panel) {
    let interval: Int64 = number.isMultiple(of: 2) ? 10 : 16
    var random = Seed.generator(case: number)
    // 60 mm apart; farther where a panel of unknown size may be one of 5 inches, on which this is a finger's way.
    let apart = max(60, panel.statesResolution ? 0 : panel.width * 0.15)
    var touches: [Touch] = []
    for thumb in 0...1 {
      var time = Int64.random(in: 1000...1100, using: &random)
      for _ in 0..<Int.random(in: 8...15, using: &random) {
        let end = time + .random(in: 60...250, using: &random)
        let at = (
          panel.width / 2 + apart * (thumb == 0 ? -0.5 : 0.5) + .random(in: -3...3, using: &random),
          panel.height / 2 + .random(in: -3...3, using: &random)
        )
        touches.append((time, end, { _ in at }))
        // A report late, this is still longer than a dropout.
        time = end + .random(in: 70...160, using: &random)
      }
    }
    #expect(count(panel.listing, lists(panel, of: touches, every: interval)) == touches.count)
  }

  @Test(arguments: panels, [10, 16] as [Int64]) func `a swift stroke on a panel without tracking ids is one swipe`(
    panel: Panel, interval: Int64
  ) {
    let length = panel.height * 0.7
    // 1.2 m/s at most, with a start and an end as a hand makes them.
    let duration = max(110, length / 0.65)
    let touch: Touch = (
      1000, 1000 + Int64(duration),
      { time in
        let part = min(Double(time) / duration, 1)
        let way = part * part * part * (10 - 15 * part + 6 * part * part)
        return (panel.width / 2, panel.height * 0.1 + length * way)
      }
    )
    #expect(count(panel.listing, lists(panel, of: [touch], every: interval)) == -1)
  }

  @Test(arguments: 0..<Rounds.times(10), panels)
  func `fingers that tap in turn 16 mm apart count each, though they scatter`(number: Int, panel: Panel) {
    var random = Seed.generator(case: number)
    var reports = Reports()
    var time: Int64 = 1000
    for tap in 0..<20 {
      let x = panel.width / 2 + (tap.isMultiple(of: 2) ? 8 : -8) + .random(in: -1...1, using: &random)
      let y = panel.height / 2 + .random(in: -1...1, using: &random)
      let end = time + .random(in: 45...70, using: &random)
      trace(panel, slot: 0, from: time, to: end, into: &reports, random: &random) { _ in (x, y) }
      time = end + .random(in: 8...38, using: &random)
    }
    #expect(count(panel, reports) == 20)
  }

  /// Two fingers tap in turn, and each rolls as it lands, by so much in millimetres and for so long. A report comes every
  /// 10 ms, and only of what changed.
  private func rolls(
    _ panel: Panel, taps: Int, apart: Double, random: inout SeededRandom,
    by roll: (_ tap: Int, inout SeededRandom) -> (x: Double, y: Double, span: Double),
    down: ClosedRange<Int64>, up: ClosedRange<Int64>
  ) -> Reports {
    var reports = Reports()
    var time: Int64 = 1000
    for tap in 0..<taps {
      let way = roll(tap, &random)
      let x = panel.width / 2 + apart * (tap.isMultiple(of: 2) ? -0.5 : 0.5)
      let end = time + .random(in: down, using: &random)
      var known: (x: Int32, y: Int32)?
      for moment in stride(from: time, to: end, by: 10) {
        let part = min(1, Double(moment - time) / way.span)
        let at = panel.place(x + way.x * part, panel.height / 2 + way.y * part)
        var events: [(UInt16, UInt16, Int32)] = known == nil ? [(3, 0x39, Int32(tap))] : []
        if known?.x != at.x { events.append((3, 0x35, at.x)) }
        if known?.y != at.y { events.append((3, 0x36, at.y)) }
        known = at
        if !events.isEmpty { reports.report(moment, [(3, 0x2f, 0)] + events) }
      }
      reports.report(end, [(3, 0x2f, 0), (3, 0x39, -1)])
      time = end + .random(in: up, using: &random)
    }
    return reports
  }

  @Test(arguments: panels, [2, 3] as [Double]) func `fingers that tap in turn and roll towards each other count each`(
    panel: Panel, roll: Double
  ) {
    var random = Seed.generator(case: 0)
    let reports = rolls(
      panel, taps: 12, apart: 16, random: &random, by: { tap, _ in (tap.isMultiple(of: 2) ? roll : -roll, 0, 15) },
      down: 60...60, up: 25...25)
    #expect(count(panel, reports) == 12)
  }

  @Test(arguments: 0..<Rounds.times(20), panels.filter { $0.statesResolution || $0.width < 200 })
  func `fingers that tap in turn and roll anywhere count each`(number: Int, panel: Panel) {
    var random = Seed.generator(case: number)
    // No finger is back at its place within the time that a dropout may last.
    let reports = rolls(
      panel, taps: 30, apart: 16, random: &random,
      by: { _, random in
        let way = (x: Double.random(in: -1...1, using: &random), y: Double.random(in: -1...1, using: &random))
        let length = max((way.x * way.x + way.y * way.y).squareRoot(), 0.01)
        let roll = Double.random(in: 0...3, using: &random) / length
        return (way.x * roll, way.y * roll, .random(in: 10...25, using: &random))
      }, down: 45...75, up: 5...45)
    #expect(count(panel, reports) == 30)
  }

  @Test(arguments: panels) func `a contact that never lifts hinders no tap, and is reported once`(panel: Panel) {
    var random = Seed.generator(case: 0)
    var hand = Hand(on: panel.device, .defaults)
    hand.land(1, x: panel.place(1, 0).x, y: panel.middle.y)
    for tap in 1...100 {
      let at = panel.place(panel.width * .random(in: 0.2...0.9, using: &random), panel.height * 0.5)
      hand.tap(0, x: at.x, y: at.y)
      hand.wait(600)
      #expect(hand.count == tap)
    }
    #expect(hand.said == ["a contact at the left edge has not moved for 60 s"])
    hand.wait(600_000)
    #expect(hand.said.count == 1 && hand.count == 100)
  }

  @Test func `a contact that is there when the device is opened hinders no tap, and is reported once`() {
    var hand = Hand(.defaults)
    hand.report([(0x2f, 3), (0x39, 5), (0x35, 999), (0x36, 1)], isResync: true)
    for _ in 0..<5 { hand.tap() }
    hand.wait(120_000)
    for _ in 0..<5 { hand.tap() }
    #expect(hand.count == 10)
    #expect(hand.said == ["a contact in the top right corner has not moved for 60 s"])
    #expect(hand.recognizer.nextDeadline == nil && !hand.recognizer.isTouched)
  }

  @Test func `two people who swipe at once are two swipes, and two fingers of a hand are one`() {
    let panel = Panel("24 inches", 531, 299, columns: 5310, rows: 2990, statesResolution: true)
    func swipes(at second: Int32) -> Int {
      var hand = Hand(on: panel.device, .defaults)
      hand.drag([(0, 500), (1, second)], steps: 1...20) { (0, $0 * 60) }
      hand.wait(1000)
      return hand.count
    }
    #expect(swipes(at: 4800) == -2)
    #expect(swipes(at: 900) == 0)
  }

  // MARK: Slow and unsteady hands

  @Test(arguments: panels, [500, 620, 1000, 1500, 2900] as [Int64]) func `a slow tap counts`(
    panel: Panel, duration: Int64
  ) {
    var random = Seed.generator(case: 0)
    var reports = Reports()
    trace(panel, slot: 0, from: 1000, to: 1000 + duration, into: &reports, random: &random) { _ in
      (panel.width / 2, panel.height / 2)
    }
    #expect(count(panel, reports) == 1)
  }

  @Test(arguments: panels.dropFirst(), [6, 8, 10] as [Double])
  func `a tap that slips to a side without a swipe counts`(panel: Panel, slip: Double) {
    checkSlips(panel, [(-slip, 0), (slip, 0), (0, -slip)], in: 150)
  }

  @Test(arguments: panels.dropFirst(), [800, 1500, 2900] as [Int64])
  func `a slow tap that slips to a side without a swipe counts`(panel: Panel, duration: Int64) {
    checkSlips(panel, [(-10, 0), (6, 0), (0, -8)], in: duration)
  }

  private func checkSlips(_ panel: Panel, _ ways: [(x: Double, y: Double)], in duration: Int64) {
    for way in ways {
      var random = Seed.generator(case: 0)
      var reports = Reports()
      trace(panel, slot: 0, from: 1000, to: 1000 + duration, into: &reports, random: &random) { time in
        let part = Double(time) / Double(duration)
        return (panel.width / 2 + way.x * part, panel.height / 2 + way.y * part)
      }
      #expect(count(panel, reports) == 1, "\(way)")
    }
  }

  // MARK: Two places

  @Test(arguments: panels, [Timing.Mode.wait, .eager])
  func `hands that tap in turn at different places each make their double-taps`(panel: Panel, mode: Timing.Mode) {
    var hand = Hand(on: panel.device, bound: "tap \(mode)", "double-tap \(mode)")
    let left = panel.place(panel.width * 0.2, panel.height / 2)
    let right = panel.place(panel.width * 0.8, panel.height / 2)
    // The left hand taps twice, then once; the right hand once, then twice. Their taps overlap.
    for (isLeft, pause) in [(true, 20), (false, 80), (true, 700), (false, 10), (true, 100), (false, 0)] {
      hand.tap(isLeft ? 0 : 1, x: (isLeft ? left : right).x, y: left.y)
      hand.wait(Int64(pause))
    }
    hand.wait(1000)
    #expect(hand.gestures.net.map(\.kind).filter { $0 == .doubleTap }.count == 2)
    #expect(hand.gestures.net.map(\.kind).filter { $0 == .tap }.count == 2)
  }

  @Test func `the fingers of a double-tap of two land in any order`() {
    var hand = Hand(bound: "tap 2", "double-tap 2")
    for (first, second) in [(0.3, 0.5), (0.5, 0.3)] {
      hand.play("down 0 \(first) 0.5, 10ms, down 1 \(second) 0.5, 80ms, up 0, up 1, 100ms")
    }
    hand.wait(1000)
    #expect(hand.words == ["2 double-tap"])
  }

  @Test func `a tap that waits comes before another gesture elsewhere`() {
    var hand = Hand(bound: "tap", "double-tap", "swipe-down")
    hand.play("tap 0.2 0.2, 60ms, stroke 0.7 0.2 0.7 0.6 200ms")
    #expect(hand.kinds == [.tap, .swipeDown])
  }

  // MARK: Dropouts

  @Test(arguments: 0..<Rounds.times(40), panels) func `a swipe during which the panel loses the finger counts once`(
    number: Int, panel: Panel
  ) {
    var random = Seed.generator(case: number)
    var reports = Reports()
    let length = panel.height * .random(in: 0.25...0.6, using: &random)
    let duration = Int64.random(in: 180...500, using: &random)
    let lost = 1000 + Int64.random(in: 40...duration - 60, using: &random)
    let dropout = lost...lost + .random(in: 12...26, using: &random)
    trace(panel, slot: 0, from: 1000, to: 1000 + duration, into: &reports, random: &random, dropout: dropout) { time in
      (panel.width / 2, panel.height * 0.2 + length * Double(time) / Double(duration))
    }
    #expect(count(panel, reports) == -1)
  }

  @Test(arguments: panels.filter { !$0.statesResolution })
  func `a swipe that gets faster while the panel loses the finger counts once`(panel: Panel) {
    var hand = Hand(on: panel.device, .defaults)
    func place(_ down: Double) -> (x: Int32, y: Int32) { panel.place(panel.width / 2, panel.height * 0.1 + down) }
    hand.land(x: place(0).x, y: place(0).y)
    for step in 1...6 {
      hand.wait(10)
      hand.move(x: place(0).x, y: place(Double(step) * 1.5).y)
    }
    hand.wait(2)
    hand.lift()
    // By its speed it would have gone 4.5 mm until it is found again.
    hand.wait(28)
    hand.land(x: place(0).x, y: place(21).y)
    for step in 1...10 {
      hand.wait(10)
      hand.move(x: place(0).x, y: place(21 + Double(step) * panel.height * 0.03).y)
    }
    hand.wait(10)
    hand.lift()
    hand.wait(1000)
    #expect(hand.count == -1)
  }

  @Test func `every tap of a hand that the panel lost early in a swipe is withdrawn`() {
    // Two fingers near each other are one row of taps.
    var hand = Hand(on: .screen(resolution: 10), bound: "tap eager", "triple-tap eager", "swipe-left 3 eager")
    let fingers: [(slot: Int32, x: Int32)] = [(0, 400), (1, 470), (2, 540)]
    hand.drag(fingers, steps: 1...4, every: 30) { ($0 * -10, 0) }
    #expect(hand.kinds.contains(.tap))
    hand.wait(20)
    hand.drag(fingers, steps: 5...20) { ($0 * -10, 0) }
    hand.wait(1000)
    #expect(hand.gestures.net.map(\.words) == ["3 swipe-left"])
  }

  /// Fingers near each other make one row of taps, which may end and be followed by another one at the same place.
  @Test(arguments: ["swipe-right", "swipe-right 2"])
  func `every tap of four fingers that the panel lost in a swipe is withdrawn`(other: String) {
    var hand = Hand(on: .screen(), bound: "tap eager", "triple-tap eager", "swipe-right 4 eager", "\(other) eager")
    let fingers: [(slot: Int32, x: Int32, way: Int32)] = [(0, 610, 75), (1, 680, 45), (2, 750, 40), (3, 820, 80)]
    for finger in fingers { hand.land(finger.slot, x: finger.x, y: 500) }
    for step in 1...10 as ClosedRange<Int32> {
      hand.wait(10)
      for (slot, x, way) in fingers { hand.move(slot, x: x + way * step / 10, y: 500) }
    }
    hand.wait(10)
    // Where the swipe of one finger is bound, the first and the last have gone too far for a tap.
    for (slot, pause) in [(2, 5), (0, 19), (1, 4), (3, 2)] as [(Int32, Int64)] {
      hand.lift(slot)
      hand.wait(pause)
    }
    #expect(hand.kinds == (other == "swipe-right" ? [.tap, .tap] : [.tap, .tap, .tripleTap, .tap]))
    for slot in [2, 0, 3, 1] {
      hand.land(Int32(slot), x: fingers[slot].x + fingers[slot].way, y: 500)
      hand.wait(4)
    }
    for step in 1...10 as ClosedRange<Int32> {
      hand.wait(10)
      for (slot, x, way) in fingers { hand.move(slot, x: x + way + 12 * step, y: 500) }
    }
    for finger in fingers { hand.lift(finger.slot) }
    hand.wait(1000)
    #expect(hand.gestures.net.map(\.words) == ["4 swipe-right"])
  }

  @Test func `a finger that lands where it was lost is not taken for one that went on`() {
    var hand = Hand(bound: "touch", "swipe-left 2")
    hand.drag([(0, 850), (1, 920)], steps: 1...20) { ($0 * -20, 0) }
    hand.wait(20)
    hand.drag([(0, 850), (1, 920)], steps: 21...40) { ($0 * -20, 0) }
    hand.wait(1000)
    #expect(hand.gestures.net.map(\.words) == ["touch", "touch", "2 swipe-left"])
  }

  @Test(arguments: panels, [30, 45] as [Int64])
  func `a finger that rests on a panel that loses it again and again counts once`(panel: Panel, pause: Int64) {
    #expect(taps(on: panel, times: 9, down: 70, up: pause) == 1)
  }

  @Test(arguments: panels) func `ten taps a second of one finger at one place count each`(panel: Panel) {
    #expect(taps(on: panel, times: 20, down: 50, up: 50) == 20)
  }

  private func taps(on panel: Panel, times: Int, down: Int64, up: Int64) -> Int {
    var hand = Hand(on: panel.device, .defaults)
    for _ in 0..<times {
      hand.land(x: panel.middle.x, y: panel.middle.y)
      hand.wait(down)
      hand.lift()
      hand.wait(up)
    }
    hand.wait(1000)
    return hand.count
  }

  // MARK: Angles

  @Test(arguments: panels, [0, 20, 25, 32, 45] as [Double]) func `an angle is an angle on every panel`(
    panel: Panel, angle: Double
  ) {
    let (sine, cosine) = (sin(angle * .pi / 180), cos(angle * .pi / 180))
    let length = panel.height * 0.5
    for isDown in [true, false] {
      var hand = Hand(on: panel.device, .defaults)
      let (across, down) = isDown ? (length * sine, length * cosine) : (length * cosine, length * sine)
      let start = (x: panel.width * 0.3, y: panel.height * 0.3)
      hand.stroke([panel.place(start.x, start.y), panel.place(start.x + across, start.y + down)])
      if angle < 26.5 {
        #expect(hand.kinds == [isDown ? .swipeDown : .swipeRight])
      } else if panel.isShapeKnown {
        #expect(hand.kinds == [])
      }
    }
  }
}
