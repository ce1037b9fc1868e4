import Gestures
import TestKit
import Testing

/// Hands that do anything on a screen, each in its zone or all in the same one, beside a shadow that knows what they meant
/// and never sees an event.
@Suite(.seeded) struct RandomTouchTests {
  /// The interests of one run.
  struct Wanted {
    var interests: [Interest] = []
    var hasZones: Bool
    var doubled: Set<Int> = []
    var tripled: Set<Int> = []
    var touched: Bool
    var wantsLong: Bool

    init(random: inout SeededRandom) {
      hasZones = Bool.random(using: &random)
      touched = Int.random(in: 0..<4, using: &random) == 0
      wantsLong = Bool.random(using: &random)
      let timing = Bool.random(using: &random) ? Timing.eager : .standard
      let zones: [Zone?] = hasZones ? Zone.halves : [nil]
      for zone in zones {
        // Whatever several fingers can do is bound: fingers are taken together only for that.
        for fingers in 1...5 {
          for kind in [.tap, .swipeUp, .swipeDown, .swipeLeft, .swipeRight] as [Gesture.Kind] {
            interests.append(.touch(kind, fingers: fingers, zone: zone, timing: timing))
          }
          if wantsLong { interests.append(.touch(.longPress, fingers: fingers, zone: zone, timing: timing)) }
        }
        if touched { interests.append(.touch(.touch, zone: zone, timing: timing)) }
      }
      for fingers in 1...3 {
        if Bool.random(using: &random) { doubled.insert(fingers) }
        if Bool.random(using: &random) { tripled.insert(fingers) }
        for zone in zones {
          let spot = Interest.Target.touch(fingers: fingers, zone: zone)
          if doubled.contains(fingers) { interests.append(Interest(.doubleTap, spot, timing: timing)) }
          if tripled.contains(fingers) { interests.append(Interest(.tripleTap, spot, timing: timing)) }
        }
      }
    }

    /// What acts of one hand must give.
    func words(for acts: [TouchAct], spoilt: (TouchAct) -> Bool) -> [String] {
      var words: [String] = []
      var row: [TouchAct] = []
      func close() {
        let fingers = row.first?.fingers ?? 0
        let most = tripled.contains(fingers) ? 3 : doubled.contains(fingers) ? 2 : 1
        while !row.isEmpty {
          let part = row.prefix(most)
          row.removeFirst(part.count)
          let word = part.first?.word ?? ""
          switch part.count {
          case 3: words.append(word.replacing("tap", with: "triple-tap"))
          case 2 where doubled.contains(fingers): words.append(word.replacing("tap", with: "double-tap"))
          default: words += part.map { $0.word ?? "" }
          }
        }
      }
      for act in acts where act.lands {
        if let last = row.last, act.start - last.end > 400 { close() }
        if act.kind == .tap, !spoilt(act) {
          if let last = row.last, last.fingers != act.fingers { close() }
          row.append(act)
        } else {
          close()
          // Where no long press is bound it is a slow tap, and no part of a double-tap.
          if let word = act.word, !spoilt(act) {
            words.append(wantsLong ? word : word.replacing("long-press", with: "tap"))
          }
        }
      }
      close()
      return words
    }
  }

  @Test(arguments: 0..<Rounds.times(30)) func `hands are taken for what they do, whatever is bound`(
    number: Int
  ) {
    var random = Seed.generator(case: number)
    let wanted = Wanted(random: &random)
    let chatters = Bool.random(using: &random)
    var reports = Reports()
    var acts: [[TouchAct]] = []
    for lane in 0...(wanted.hasZones ? 1 : 0) {
      var time: Int64 = 1000 + .random(in: 0...300, using: &random)
      var done: [TouchAct] = []
      for _ in 0..<25 {
        let act = TouchAct(lane: lane, start: time, random: &random)
        act.play(into: &reports, chatters: chatters, random: &random)
        done.append(act)
        // Not at the very edge of the interval, where a millisecond decides.
        time = act.end + .random(in: Bool.random(using: &random) ? 60...380 : 420...900, using: &random)
        if let last = done.last(where: \.lands), abs(time - last.end - 400) < 20 { time += 40 }
      }
      acts.append(done)
    }
    // The kernel drops something now and then, but not where milliseconds decide: whether a long press came before, or one of
    // several fingers lifted. A drop in the pause in which a panel has lost a contact would leave nothing to be joined to.
    let touchy = acts.joined().filter { chatters || $0.kind == .long || $0.fingers > 1 }
    let possible = (1000...12_000).filter { drop in !touchy.contains { $0.start <= drop && drop < $0.end } }
    let drops = (0..<3).compactMap { _ in possible.randomElement(using: &random) }
    #expect(drops.count == 3)
    for drop in drops { reports.report(drop, [(3, 0x2f, 0)], isResync: true) }
    let spoilt = { (act: TouchAct) in drops.contains { act.start <= $0 && $0 < act.end } }

    var recognizer = DeviceRecognizer(description: .screen(), interests: wanted.interests)
    let gestures = play(reports, &recognizer)
    #expect(recognizer.nextDeadline == nil)
    let touches = gestures.count { $0.kind == .touch }
    let net = gestures.net.filter { $0.kind != .touch }
    for (lane, acts) in acts.enumerated() {
      let own = net.filter { !wanted.hasZones || $0.zone == (lane == 0 ? "left" : "right") }
      #expect(own.sorted { $0.time < $1.time }.map(\.words) == wanted.words(for: acts, spoilt: spoilt), "lane \(lane)")
    }
    let landed = acts.joined().filter(\.lands).reduce(0) { $0 + $1.fingers }
    #expect(touches == (wanted.touched ? landed : 0))
  }

  /// Two hands whose acts overlap in time share all bindings, beside a contact that rests. Only one of them swipes: fingers
  /// of two hands that swipe at the same moment are taken for those of one.
  @Test(arguments: 0..<Rounds.times(10)) func `hands that share a surface count all that they do`(number: Int) {
    var random = Seed.generator(case: number)
    var kinds: [Gesture.Kind] = [.tap, .swipeUp, .swipeDown, .swipeLeft, .swipeRight]
    let wantsLong = Bool.random(using: &random)
    if wantsLong { kinds.append(.longPress) }
    kinds += [.doubleTap, .tripleTap].filter { _ in Bool.random(using: &random) }
    let timing = Bool.random(using: &random) ? Timing.eager : .standard
    let chatters = Bool.random(using: &random)
    let rests = Bool.random(using: &random)

    var reports = Reports()
    if rests { reports.report(900, [(3, 0x2f, 10), (3, 0x39, 70_000), (3, 0x35, 400), (3, 0x36, 5)]) }
    var acts: [TouchAct] = []
    for lane in 0...1 {
      var time: Int64 = 1000 + .random(in: 0...300, using: &random)
      for _ in 0..<25 {
        let still: [TouchAct.Kind] = [.long, .palm, .hover]
        let kinds = lane == 0 ? still + [.swipe, .back, .latePalm] : still
        let act = TouchAct(lane: lane, start: time, of: kinds, mostFingers: 1, random: &random)
        act.play(into: &reports, chatters: chatters, random: &random)
        acts.append(act)
        time = act.end + .random(in: 60...900, using: &random)
      }
    }
    var recognizer = DeviceRecognizer(
      description: .screen(highestSlot: 10),
      interests: kinds.map { .touch($0, timing: timing) })
    let gestures = play(reports, &recognizer)

    let net = gestures.net
    let taps = net.reduce(0) { $0 + (($1.kind.base ?? $1.kind) == .tap ? $1.kind.times : 0) }
    let longs = acts.count { $0.kind == .long }
    // A finger that rests is a long press, too, and once.
    #expect(taps == acts.count { $0.kind == .tap } + (wantsLong ? 0 : longs))
    #expect(net.count { $0.kind == .longPress } == (wantsLong ? longs + (rests ? 1 : 0) : 0))
    for kind in [.swipeUp, .swipeDown, .swipeLeft, .swipeRight] as [Gesture.Kind] {
      #expect(net.count { $0.kind == kind } == acts.count { $0.kind == .swipe && $0.direction == kind })
    }
  }

  /// What reports give, and what waits then.
  private func play(_ reports: Reports, _ recognizer: inout DeviceRecognizer) -> [Gesture] {
    var gestures: [Gesture] = []
    for frame in reports.frames {
      gestures += recognizer.advance(to: frame.time)
      let new = recognizer.handle(frame)
      checkInvariants(new, frame, recognizer)
      gestures += new
    }
    return gestures + recognizer.advance(to: 1 << 50)
  }

  private func checkInvariants(_ gestures: [Gesture], _ frame: Frame, _ recognizer: DeviceRecognizer) {
    #expect(!frame.isResync || gestures.isEmpty)
    #expect(gestures.allSatisfy { 1...5 ~= $0.fingers && $0.time <= frame.time })
    #expect(gestures.compactMap(\.position).allSatisfy { 0...1 ~= $0.x && 0...1 ~= $0.y })
    #expect(frame.isResync || recognizer.nextDeadline ?? .max > frame.time)
  }
}
