import Gestures
import TestKit
import Testing

/// Hands that do anything on a screen, beside a shadow that knows what they meant and never sees an event.
@Suite(.seeded) struct RandomTouchTests {
  /// What is wished for in one run.
  struct Wanted {
    var wishes: [Wish] = []
    var hasZones: Bool
    var doubled: Set<Int> = []
    var tripled: Set<Int> = []
    var touched: Bool

    init(random: inout SeededRandom) {
      hasZones = Bool.random(using: &random)
      touched = Int.random(in: 0..<4, using: &random) == 0
      var timing = Timing.standard
      if Bool.random(using: &random) { timing.mode = .eager }
      let zones: [Zone?] = hasZones ? Zone.halves : [nil]
      for zone in zones {
        wishes.append(Wish(.tap, .touch(fingers: 1, zone: zone), timing: timing))
        if touched { wishes.append(Wish(.touch, .touch(fingers: 1, zone: zone), timing: timing)) }
      }
      let wantsLong = Bool.random(using: &random)
      for fingers in 1...3 {
        if Bool.random(using: &random) { doubled.insert(fingers) }
        if Bool.random(using: &random) { tripled.insert(fingers) }
        for zone in zones {
          let spot = Wish.Target.touch(fingers: fingers, zone: zone)
          if doubled.contains(fingers) { wishes.append(Wish(.doubleTap, spot, timing: timing)) }
          if tripled.contains(fingers) { wishes.append(Wish(.tripleTap, spot, timing: timing)) }
          if wantsLong { wishes.append(Wish(.longPress, spot, timing: timing)) }
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
          if let word = act.word, !spoilt(act) { words.append(word) }
        }
      }
      close()
      return words
    }
  }

  @Test(arguments: 0..<Rounds.times(100)) func `hands are taken for what they do, whatever is wished for`(
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
      }
      acts.append(done)
    }
    // The kernel drops something now and then.
    let drops = (0..<3).map { _ in Int64.random(in: 1000...12_000, using: &random) }
    for drop in drops { reports.report(drop, [(3, 0x2f, 0)], isResync: true) }
    let spoilt = { (act: TouchAct) in drops.contains { act.start <= $0 && $0 < act.end } }
    // Whether a long press came before the drop is a matter of milliseconds.
    guard !acts.joined().contains(where: { $0.kind == .long && spoilt($0) }) else { return }
    // A drop in the pause in which a panel has lost a contact would leave nothing to be joined to.
    guard !chatters || !acts.joined().contains(where: spoilt) else { return }

    var recognizer = DeviceRecognizer(description: .screen(), wishes: wanted.wishes)
    var gestures: [Gesture] = []
    for frame in reports.frames {
      gestures += recognizer.advance(to: frame.time)
      let new = recognizer.handle(frame)
      checkInvariants(new, frame, recognizer)
      gestures += new
    }
    gestures += recognizer.advance(to: 1 << 50)
    #expect(recognizer.nextDeadline == nil)
    let touches = gestures.count { $0.kind == .touch }
    let net = gestures.net.filter { $0.kind != .touch }
    for (lane, acts) in acts.enumerated() {
      let own = net.filter { !wanted.hasZones || $0.zone == (lane == 0 ? "left" : "right") }
      #expect(own.sorted { $0.time < $1.time }.map(\.words) == wanted.words(for: acts, spoilt: spoilt), "lane \(lane)")
    }
    let landed = acts.joined().count { $0.lands }
    #expect(touches == (wanted.touched ? landed : 0))
  }

  private func checkInvariants(_ gestures: [Gesture], _ frame: Frame, _ recognizer: DeviceRecognizer) {
    #expect(!frame.isResync || gestures.isEmpty)
    #expect(gestures.allSatisfy { 1...5 ~= $0.fingers && $0.time <= frame.time })
    #expect(gestures.compactMap(\.position).allSatisfy { 0...1 ~= $0.x && 0...1 ~= $0.y })
    #expect(frame.isResync || recognizer.nextDeadline ?? .max > frame.time)
  }
}
