import Gestures
import TestKit
import Testing

/// Gestures of two fingers, wherever the fingers land and however the panel reports them.
@Suite(.seeded) struct SeveralFingersTests {
  /// What a panel says of two fingers.
  enum Panel: CaseIterable {
    case slots, lists, oneAndACount

    var device: DeviceDescription {
      switch self {
      case .slots: .screen()
      case .lists:
        .screen().with {
          $0.axes[0x2f] = nil
          $0.codes[3]?.remove(0x2f)
          $0.codes[3]?.remove(0x39)
        }
      case .oneAndACount: .singleTouch.with { $0.codes[1] = [0x145, 0x14a, 0x14d] }
      }
    }
  }

  /// A finger: when it is there, in milliseconds, and where, by the time since it landed.
  struct Finger {
    let times: Range<Int64>
    let slot: Int32
    let place: (Int64) -> (x: Int32, y: Int32)

    /// - Parameter slip: how far it goes down within the first 200 ms.
    init(_ times: Range<Int64>, _ x: Int32, _ y: Int32 = 500, slip: Int32 = 0, slot: Int32) {
      self.times = times
      self.slot = slot
      place = { (x, y + Int32(Int64(slip) * min($0, 200) / 200)) }
    }
  }

  /// Plays fingers, with a report every 9 ms, and returns what was recognised.
  private func play(_ fingers: [Finger], on panel: Panel = .slots, _ interests: [Interest]) -> Hand {
    var hand = Hand(on: panel.device, interests)
    var down: [Int] = []
    let moments = fingers.flatMap { [$0.times.lowerBound, $0.times.upperBound] }
    let reports = stride(from: 0, to: moments.max() ?? 0, by: 9).map(\.self) + moments
    for moment in Set(reports).sorted() {
      hand.wait(1000 + moment - hand.now)
      let now = fingers.indices.filter { fingers[$0].times.contains(moment) }
      let places = now.map { fingers[$0].place(moment - fingers[$0].times.lowerBound) }
      switch panel {
      case .slots:
        var events: [(UInt16, Int32)] = []
        for index in down where !now.contains(index) { events += [(0x2f, fingers[index].slot), (0x39, -1)] }
        for (index, at) in zip(now, places) {
          events += [(0x2f, fingers[index].slot), (0x39, Int32(index) + 7), (0x35, at.x), (0x36, at.y)]
        }
        if !events.isEmpty { hand.report(events) }
      case .lists:
        let events = places.flatMap { at in
          [
            InputEvent(type: 3, code: 0x35, value: at.x), InputEvent(type: 3, code: 0x36, value: at.y),
            InputEvent(type: 0, code: 2, value: 0),
          ]
        }
        let touch = InputEvent(type: 1, code: 0x14a, value: now.isEmpty ? 0 : 1)
        if !down.isEmpty || !now.isEmpty {
          hand.send((events.isEmpty ? [.init(type: 0, code: 2, value: 0)] : events) + [touch])
        }
      case .oneAndACount:
        // Its place is that of whichever finger it finds.
        var events =
          places.last.map {
            [InputEvent(type: 3, code: 0, value: $0.x), InputEvent(type: 3, code: 1, value: $0.y)]
          } ?? []
        for (code, isOn) in [(0x14a, !now.isEmpty), (0x145, now.count == 1), (0x14d, now.count == 2)]
          as [(UInt16, Bool)]
        {
          events.append(InputEvent(type: 1, code: code, value: isOn ? 1 : 0))
        }
        if !down.isEmpty || !now.isEmpty { hand.send(events) }
      }
      down = now
    }
    hand.wait(2000)
    return hand
  }

  private func one(_ kind: Gesture.Kind, _ zone: Zone? = nil) -> Interest {
    Interest(kind, .touch(fingers: 1, zone: zone))
  }
  private func two(_ kind: Gesture.Kind, _ zone: Zone? = nil) -> Interest {
    Interest(kind, .touch(fingers: 2, zone: zone))
  }
  private let tapsInHalves = Zone.halves.map { Interest(.tap, .touch(fingers: 1, zone: $0)) }

  /// Two fingers beside the line between the halves.
  private func fingers(
    landing: Int64, for duration: Int64, lifting: Int64 = 0, slip: Int32 = 0, at places: (Int32, Int32) = (440, 560)
  ) -> [Finger] {
    [
      Finger(0..<duration + lifting, places.0, slip: slip, slot: 0),
      Finger(landing..<duration, places.1, slip: slip, slot: 1),
    ]
  }

  // MARK: Holding

  @Test(arguments: Panel.allCases, [0, 54, 100, 149] as [Int64])
  func `two fingers that hold press long together in any two zones`(panel: Panel, landing: Int64) {
    let corner = Zone(name: "corner", left: 0.4, top: 0.4, right: 0.5, bottom: 0.6)
    for bindings in [
      [one(.tap)], tapsInHalves, tapsInHalves + [one(.swipeDown)], [one(.tap, corner), one(.tap)],
      [one(.doubleTap, corner)],
    ] {
      for (duration, lifting) in [(700, 0), (800, 54), (2500, 20)] as [(Int64, Int64)] {
        let hand = play(
          fingers(landing: landing, for: duration, lifting: lifting), on: panel, bindings + [two(.longPress)])
        #expect(hand.words == ["2 long-press"], "\(bindings.count) bindings, \(duration) ms")
      }
    }
  }

  @Test(arguments: [Panel.slots, .lists], [0, 54, 149] as [Int64])
  func `two fingers that hold and slip are no two slow taps`(panel: Panel, landing: Int64) {
    for bindings in [[one(.tap)], [one(.tap), one(.swipeDown)], tapsInHalves] {
      for (duration, lifting) in [(700, 0), (900, 60), (900, 300)] as [(Int64, Int64)] {
        let hand = play(
          fingers(landing: landing, for: duration, lifting: lifting, slip: 36), on: panel, bindings + [two(.longPress)])
        #expect(hand.words == [], "\(bindings.count) bindings, \(duration) and \(lifting) ms")
        #expect(hand.reports.count == 1 && hand.reports.allSatisfy(\.isOfHold))
      }
    }
  }

  @Test func `a finger that rests beside another one's swipe is a slow tap`() {
    let hand = play(
      [Finger(0..<700, 300, slot: 0), Finger(40..<300, 700, 200, slip: 500, slot: 1)],
      [one(.tap), one(.swipeDown), two(.longPress)])
    #expect(hand.words.sorted() == ["swipe-down", "tap"])
  }

  @Test func `where single fingers press long in zones of their own, each does`() {
    let halves = Zone.halves.map { Interest(.longPress, .touch(fingers: 1, zone: $0)) }
    let hand = play(fingers(landing: 54, for: 800), halves + [two(.longPress)])
    #expect(hand.gestures.map(\.zone) == ["left", "right"] && hand.kinds == [.longPress, .longPress])
  }

  @Test func `of two gestures of two fingers, the one of the whole surface is meant across its zones`() {
    let bindings = [two(.longPress, Zone.halves[0]), two(.longPress), one(.tap)]
    func meant(_ places: (Int32, Int32)) -> [Int?] {
      play(fingers(landing: 30, for: 800, at: places), bindings).gestures.map { gesture in
        bindings.firstIndex { $0.matches(gesture) }
      }
    }
    #expect(meant((300, 400)) == [0])
    #expect(meant((440, 560)) == [1])
    #expect(meant((560, 440)) == [1])
    #expect(meant((600, 700)) == [1])
  }

  @Test func `a finger outside of the only zone with a gesture of two is judged by itself`() {
    let bindings = [two(.longPress, Zone.halves[0]), one(.tap)]
    #expect(play(fingers(landing: 54, for: 800), bindings).words == ["tap", "tap"])
  }

  // MARK: Tapping

  @Test(arguments: [Panel.slots, .lists], [0, 54, 149] as [Int64])
  func `thumbs with a zone each tap each, whatever is bound to two fingers`(panel: Panel, landing: Int64) {
    for more in [[two(.longPress)], [two(.tap)], [two(.swipeDown)], [two(.tap), two(.longPress), two(.swipeUp)]] {
      let hand = play(fingers(landing: landing, for: 250, lifting: 40), on: panel, tapsInHalves + more)
      #expect(hand.gestures.map(\.zone) == ["right", "left"], "\(more.map(\.kind))")
      #expect(hand.kinds == [.tap, .tap])
    }
  }

  @Test(arguments: 0..<Rounds.times(20)) func `thumbs that drum on the halves count every tap`(number: Int) {
    var random = Seed.generator(case: number)
    var strokes: [Finger] = []
    for (slot, x) in [(0, 250), (1, 750)] as [(Int32, Int32)] {
      var time = Int64.random(in: 0...100, using: &random)
      for _ in 0..<10 {
        let end = time + .random(in: 60...300, using: &random)
        strokes.append(Finger(time..<end, x + .random(in: -10...10, using: &random), slot: slot))
        time = end + .random(in: 60...160, using: &random)
      }
    }
    let more = [two(.longPress), two(.tap), two(.swipeDown)].filter { _ in Bool.random(using: &random) }
    let hand = play(strokes, tapsInHalves + more)
    #expect(hand.gestures.count { $0.zone == "left" } == 10 && hand.gestures.count { $0.zone == "right" } == 10)
  }

  @Test func `a zone for something else does not keep the fingers of a tap apart`() {
    let corner = Zone(name: "corner", left: 0.5, top: 0, right: 1, bottom: 1)
    let bindings = [one(.tap), two(.tap), one(.swipeLeft, corner)]
    #expect(play(fingers(landing: 54, for: 200), bindings).words == ["2 tap"])
  }

  @Test func `each landing in a zone is told of`() {
    let hand = play(
      fingers(landing: 54, for: 200),
      Zone.halves.map { Interest(.touch, .touch(fingers: 1, zone: $0)) } + [two(.longPress)])
    #expect(hand.gestures.filter { $0.kind == .touch }.map(\.zone) == ["left", "right"])
  }

  // MARK: Swiping

  @Test(arguments: [Panel.slots, .lists]) func `a swipe of two fingers across zones is one`(panel: Panel) {
    let hand = fingers(landing: 30, for: 300, slip: 400, at: (450, 550))
    #expect(play(hand, on: panel, tapsInHalves + [one(.swipeDown), two(.swipeDown)]).words == ["2 swipe-down"])
    // Not of each finger, also where none of two is bound.
    #expect(play(hand, on: panel, tapsInHalves + [one(.swipeDown)]).gestures.allSatisfy { $0.fingers == 2 })
    let halves = Zone.halves.map { Interest(.swipeDown, .touch(fingers: 1, zone: $0)) }
    let apart = play(hand, on: panel, halves + [two(.swipeDown)])
    #expect(apart.kinds == [.swipeDown, .swipeDown] && apart.gestures.allSatisfy { $0.fingers == 1 })
  }
}

extension InputReport {
  /// Whether it tells of a touch that held on and slipped.
  fileprivate var isOfHold: Bool {
    if case .nothing(.heldAndMoved, _) = self { true } else { false }
  }
}
