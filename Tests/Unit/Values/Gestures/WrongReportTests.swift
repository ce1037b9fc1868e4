import Gestures
import Testing

/// Panels of which one report has a wrong place, or which say in their own way that a finger lifted.
@Suite struct WrongReportTests {
  /// The three ways of reporting a contact.
  enum Panel: CaseIterable {
    case single, listing, slots

    var device: DeviceDescription {
      switch self {
      case .single: .singleTouch
      case .listing: .listing
      case .slots: .screen()
      }
    }

    func report(_ x: Int32, _ y: Int32, isLanding: Bool) -> [InputEvent] {
      switch self {
      case .single: (isLanding ? Self.events([(1, 0x14a, 1)]) : []) + Self.events([(3, 0, x), (3, 1, y)])
      case .listing: SurfaceTests.list([(x, y)])
      case .slots: (isLanding ? Self.events([(3, 0x39, 7)]) : []) + Self.events([(3, 0x35, x), (3, 0x36, y)])
      }
    }

    var lift: [InputEvent] {
      switch self {
      case .single: Self.events([(1, 0x14a, 0)])
      case .listing: SurfaceTests.list([])
      case .slots: Self.events([(3, 0x39, -1)])
      }
    }

    static func events(_ all: [(UInt16, UInt16, Int32)]) -> [InputEvent] {
      all.map { InputEvent(type: $0.0, code: $0.1, value: $0.2) }
    }
  }

  /// A touch that is reported at these places, one after the other.
  private func touch(_ hand: inout Hand, _ panel: Panel, _ places: [(Int32, Int32)], every interval: Int64 = 16) {
    for (number, place) in places.enumerated() {
      hand.send(panel.report(place.0, place.1, isLanding: number == 0))
      hand.wait(interval)
    }
    hand.send(panel.lift)
    hand.wait(500)
  }

  /// Wrong places on either axis, on both sides, and near.
  static let wrong: [(x: Int32, y: Int32)] = [(500, 0), (500, 1000), (0, 400), (1000, 400), (0, 0), (500, 280)]

  static let ends = Panel.allCases.flatMap { [(panel: $0, isFirst: true), ($0, false)] }

  @Test(arguments: ends, [8, 16, 24, 40] as [Int64])
  func `a first or last report at a wrong place makes the tap that the other reports show`(
    end: (panel: Panel, isFirst: Bool), interval: Int64
  ) {
    for (x, y) in Self.wrong {
      for count in 2...6 {
        var hand = Hand(on: end.panel.device, .defaults)
        let places = (0..<count).map { number in (500 + Int32(number % 2), Int32(400)) }
        touch(&hand, end.panel, end.isFirst ? [(x, y)] + places : places + [(x, y)], every: interval)
        #expect(hand.count == 1, "\(x), \(y), \(count) reports: \(hand.words)")
        let place = hand.gestures.last?.position
        #expect(!end.isFirst || abs((place?.x ?? 0) - 0.5) < 0.01 && abs((place?.y ?? 0) - 0.4) < 0.01)
      }
    }
  }

  @Test(arguments: Panel.allCases) func `a report at a wrong place in between makes nothing of a tap`(panel: Panel) {
    for (x, y) in Self.wrong {
      var hand = Hand(on: panel.device, .defaults)
      touch(&hand, panel, (0..<16).map { number in number == 10 ? (x, y) : (500, 400 + Int32(number % 2)) })
      #expect(hand.count == 1, "\(x), \(y): \(hand.words)")
    }
  }

  @Test(arguments: Panel.allCases) func `two wrong reports at once after the landing make the tap that others show`(
    panel: Panel
  ) {
    for wrong in [[(50, 40), (55, 45)], [(500, 0), (500, 200)], [(0, 0), (1000, 1000)]] as [[(Int32, Int32)]] {
      var hand = Hand(on: panel.device, .defaults + [.touch(.swipeUp), .touch(.swipeRight)])
      touch(&hand, panel, wrong + (0..<9).map { (800, 600 + $0 % 2) }, every: 10)
      #expect(hand.kinds == [.tap], "\(wrong)")
    }
  }

  @Test func `a listed contact that is exchanged for another one for less than a tap lasts is one tap`() {
    for others in 1...2 {
      var hand = Hand(on: .listing, .defaults)
      for hasReturned in [true, false] {
        let rest = Array(repeating: (800, 300), count: 5) as [(Int32, Int32)]
        let other = Array(repeating: (800, 990), count: others) as [(Int32, Int32)]
        touch(&hand, .listing, rest + other + (hasReturned ? rest : []), every: 11)
      }
      #expect(hand.kinds == [.tap, .tap], "\(others)")
      #expect(hand.places == [0.8, 0.8])
    }
  }

  @Test(arguments: [16, 30] as [Int64]) func `listed contacts of two thumbs that take turns without a gap are taps`(
    interval: Int64
  ) {
    var hand = Hand(on: .listing, .defaults)
    for _ in 0..<5 { touch(&hand, .listing, Array(repeating: (200, 500), count: 4), every: interval) }
    let turns = (0..<10).flatMap { Array(repeating: (Int32($0 % 2 == 0 ? 200 : 800), Int32(500)), count: 4) }
    touch(&hand, .listing, turns, every: interval)
    #expect(hand.kinds == Array(repeating: .tap, count: 15))
    #expect(hand.places.suffix(4) == [0.2, 0.8, 0.2, 0.8])
  }

  @Test(arguments: [10, 20, 30] as [Int64]) func `a listed contact that rests and then moves fast is one swipe`(
    interval: Int64
  ) {
    for places in [[300, 366, 540], [300, 301, 362, 521], [300, 300, 300, 392, 600, 690]] as [[Int32]] {
      var hand = Hand(on: .listing, .defaults)
      touch(&hand, .listing, [(500, 300), (500, 300)] + places.map { (500, $0) }, every: interval)
      #expect(hand.kinds == [.swipeDown], "\(places)")
    }
  }

  /// Places, each with the time until the next report or the lift; a swipe to each side is bound.
  private func kinds(_ panel: Panel, _ places: [(x: Int32, y: Int32, time: Int64)]) -> [Gesture.Kind] {
    var hand = Hand(on: panel.device, .defaults + [.touch(.swipeUp), .touch(.swipeLeft), .touch(.swipeRight)])
    for (number, place) in places.enumerated() {
      hand.send(panel.report(place.x, place.y, isLanding: number == 0))
      hand.wait(place.time)
    }
    hand.send(panel.lift)
    hand.wait(500)
    return hand.kinds
  }

  @Test(arguments: [Panel.single, .slots], wrong)
  func `a landing is wrong if the finger then rests elsewhere without further reports`(
    panel: Panel, wrong: (x: Int32, y: Int32)
  ) {
    for (way, rest) in [(10, 80), (8, 24), (16, 32), (24, 32), (50, 64), (50, 96)] as [(Int64, Int64)] {
      #expect(kinds(panel, [(wrong.x, wrong.y, way), (500, 400, rest)]) == [.tap], "\(way), \(rest)")
    }
  }

  @Test(arguments: [Panel.single, .slots], wrong + [(500, 460)])
  func `a last report is wrong if the finger has rested elsewhere without reports`(
    panel: Panel, wrong: (x: Int32, y: Int32)
  ) {
    for (rest, way) in [(24, 8), (50, 8), (33, 16), (80, 50), (300, 8), (300, 50)] as [(Int64, Int64)] {
      #expect(kinds(panel, [(500, 400, rest), (wrong.x, wrong.y, way)]) == [.tap], "\(rest), \(way)")
    }
  }

  @Test func `of two thumbs that rest and lift with wrong places each is a tap`() {
    var hand = Hand(.defaults)
    for (slot, x) in [(0, 200), (1, 800)] as [(Int32, Int32)] { hand.land(slot, x: x, y: 400) }
    hand.wait(80)
    for (slot, x) in [(0, 200), (1, 800)] as [(Int32, Int32)] { hand.move(slot, x: x, y: 1000) }
    hand.wait(16)
    for slot in [0, 1] as [Int32] { hand.lift(slot) }
    hand.wait(500)
    #expect(hand.kinds == [.tap, .tap])
  }

  @Test(arguments: [Panel.single, .slots]) func `reports at long intervals are no rest`(panel: Panel) {
    #expect(kinds(panel, [(500, 400, 16), (500, 600, 20)]) == [.swipeDown], "the lift comes late")
    #expect(kinds(panel, [(500, 400, 40), (500, 600, 45)]) == [.swipeDown])
    #expect(kinds(panel, [(500, 300, 80), (500, 500, 80), (500, 700, 80)]) == [.swipeDown])
    #expect(kinds(panel, [(500, 300, 90), (500, 600, 90)]) == [.swipeDown])
    #expect(kinds(panel, [(500, 300, 400), (500, 600, 300)]) == [.swipeDown])
    #expect(kinds(panel, [(500, 400, 200), (500, 480, 16), (500, 620, 16)]) == [.swipeDown], "after a pause")
  }

  @Test func `a tap whose landing was in another zone, and which then rests, is one of the zone in which it rests`() {
    for panel in [Panel.single, .slots] {
      var hand = Hand(on: panel.device, bound: "tap left", "tap right")
      hand.send(panel.report(0, 400, isLanding: true))
      hand.wait(10)
      hand.send(panel.report(800, 400, isLanding: false))
      hand.wait(90)
      hand.send(panel.lift)
      #expect(hand.gestures.map(\.zone) == ["right"])
      #expect(hand.places == [0.8])
    }
  }

  @Test func `a panel whose first and last reports are wrong counts taps`() {
    var hand = Hand(on: .singleTouch, .defaults)
    for _ in 0..<3 { touch(&hand, .single, [(500, 0), (500, 400), (501, 400), (501, 401), (20, 990)]) }
    #expect(hand.count == 3)
  }

  @Test(arguments: Panel.allCases) func `a swipe whose landing was at a wrong place goes where the finger went`(
    panel: Panel
  ) {
    for (x, y) in [(500, 1000), (500, 0), (0, 500)] as [(Int32, Int32)] {
      var hand = Hand(on: panel.device, .defaults)
      touch(&hand, panel, [(x, y)] + (0...15).map { (500, 300 + $0 * 20) }, every: 10)
      #expect(hand.kinds == [.swipeDown], "\(x), \(y)")
    }
  }

  @Test(arguments: ends, [26, 60] as [Int32])
  func `a swipe with a wrong first or last place goes where the finger went`(
    end: (panel: Panel, isFirst: Bool), step: Int32
  ) {
    for (x, y) in [(500, 1000), (500, 0), (0, 0), (0, 500), (1000, 1000), (100, 60)] as [(Int32, Int32)] {
      var hand = Hand(on: end.panel.device, .defaults + [.touch(.swipeUp), .touch(.swipeLeft), .touch(.swipeRight)])
      let swipe = (0..<8).map { (500 as Int32, 300 + $0 * step) }
      touch(&hand, end.panel, end.isFirst ? [(x, y)] + swipe : swipe + [(x, y)])
      #expect(hand.kinds == [.swipeDown], "\(x), \(y)")
    }
  }

  @Test func `a tap whose landing was in another zone is one of the zone in which the finger is`() {
    var hand = Hand(on: .singleTouch, bound: "tap left", "tap right")
    touch(&hand, .single, [(0, 400), (800, 400), (801, 400)])
    touch(&hand, .single, [(900, 400), (200, 400), (201, 400)])
    #expect(hand.gestures.map(\.zone) == ["right", "left"])
  }

  @Test func `two taps whose landings were wrong are a double-tap at their place`() {
    var hand = Hand(on: .singleTouch, bound: "tap", "double-tap")
    let tap = "touch 1 + at 0.5 0, 20ms, at 0.5 0.4, 20ms, at 0.501 0.4, 20ms, at 0.502 0.4, 20ms, touch 0, 200ms"
    hand.play("\(tap), \(tap), 1000ms")
    #expect(hand.kinds == [.doubleTap])
  }

  @Test(arguments: [Panel.single, .slots], [8, 16, 40] as [Int64])
  func `a flick of two or three reports is a swipe`(panel: Panel, interval: Int64) {
    for places in [[400, 600], [400, 440, 600], [400, 600, 700], [400, 460, 530, 640]] as [[Int32]] {
      var hand = Hand(on: panel.device, .defaults)
      touch(&hand, panel, places.map { (500, $0) }, every: interval)
      #expect(hand.kinds == [.swipeDown], "\(places)")
    }
  }

  @Test(arguments: [Panel.single, .slots]) func `a finger that is elsewhere from one report on is no swipe`(
    panel: Panel
  ) {
    var hand = Hand(on: panel.device, .defaults)
    touch(&hand, panel, [(500, 200), (500, 201), (500, 202), (500, 700), (500, 701), (500, 702)])
    #expect(hand.kinds == [])
    #expect(
      hand.said == [
        "a touch at 50 %, 20 % is no gesture: it jumped from one place to another between two reports, which no finger does"
      ])
  }

  // MARK: Beyond the surface

  @Test(arguments: Panel.allCases) func `a contact far beyond the axes is ignored, and reported once`(panel: Panel) {
    var hand = Hand(on: panel.device, .defaults)
    touch(&hand, panel, [(500, 400), (500, 401)])
    touch(&hand, panel, [(520, -3616), (520, -3616)])
    touch(&hand, panel, [(1051, 300), (1051, 300)])
    touch(&hand, panel, [(500, 400), (500, 401)])
    #expect(hand.count == 2)
    #expect(
      hand.said
        == [("520", "-3616"), ("1051", "300")].map {
          "a contact at x \($0), y \($1) lies outside the ranges that the device states for its axes, and is ignored"
        })
  }

  @Test(arguments: Panel.allCases) func `a finger counts that is beyond the axes in one report, or a little beyond`(
    panel: Panel
  ) {
    var hand = Hand(on: panel.device, .defaults)
    touch(&hand, panel, [(500, -3616), (500, 400), (500, 401)])
    touch(&hand, panel, [(500, 400), (500, 401), (500, 4000)])
    touch(&hand, panel, [(1040, -40), (1040, -41)])
    #expect(hand.count == 3)
    #expect(hand.gestures.last?.position == .init(x: 1, y: 0))
  }

  @Test func `ranges that are stated for the wrong axes are told of, also when nothing touches`() {
    let device = DeviceDescription.screen().with {
      $0.axes[0x35] = .init(minimum: 0, maximum: 271)
      $0.axes[0x36] = .init(minimum: 0, maximum: 479)
    }
    var hand = Hand(on: device, .defaults)
    let sentence =
      "a contact at x 440, y 230 lies outside the ranges that the device states for its axes, and is ignored"
      + "; the ranges seem to be transposed: that of x fits y, and that of y fits x"
    touch(&hand, .slots, [(440, 230), (440, 231)])
    touch(&hand, .slots, [(40, 230), (40, 231)])
    #expect(hand.said == [sentence])
    #expect(hand.recognizer.ghost?.description == sentence)
  }

  // MARK: Lifts

  /// A panel of protocol A that states the sizes and pressures of contacts, and numbers them or not.
  private static func list(_ x: Int32, size: Int32, code: UInt16, id: Int32?, touch: Int32?) -> [InputEvent] {
    var all: [(UInt16, UInt16, Int32)] = [(3, 0x35, x), (3, 0x36, 400), (3, code, size)]
    if let touch { all.insert((1, 0x14a, touch), at: 0) }
    if let id { all.append((3, 0x39, id)) }
    return Panel.events(all + [(0, 2, 0)])
  }

  @Test(arguments: [0x30, 0x3a] as [UInt16], [0, nil] as [Int32?])
  func `a listed contact without size or pressure has lifted`(code: UInt16, id: Int32?) {
    for usesTouch in [false, true] {
      var hand = Hand(on: .listing, .defaults)
      for x in [200, 800, 820] as [Int32] {
        for _ in 0..<4 {
          hand.send(Self.list(x, size: 23, code: code, id: id, touch: usesTouch ? 1 : nil))
          hand.wait(16)
        }
        // Some panels go on listing it.
        for _ in 0..<3 {
          hand.send(Self.list(x, size: 0, code: code, id: id, touch: usesTouch ? 0 : nil))
          hand.wait(16)
        }
        hand.wait(400)
      }
      #expect(hand.count == 3, "\(usesTouch): \(hand.words)")
      #expect(hand.places == [0.2, 0.8, 0.82])
    }
  }

  @Test(arguments: [0x30, 0x3a] as [UInt16]) func `a contact in a slot without size or pressure has lifted`(
    code: UInt16
  ) {
    var hand = Hand(.defaults)
    hand.report([(0x39, 5), (code, 20), (0x35, 100), (0x36, 400)])
    for x in [200, 800, 800] as [Int32] {
      hand.wait(100)
      hand.report([(code, 0)])
      hand.wait(300)
      hand.report([(code, 23), (0x35, x)])
    }
    hand.wait(100)
    hand.report([(code, 0)])
    #expect(hand.places == [0.1, 0.2, 0.8, 0.8])
  }

  @Test(arguments: Panel.allCases, [0x30, 0x3a, 0x18] as [UInt16])
  func `sizes and pressures that are always 0 say nothing`(
    panel: Panel, code: UInt16
  ) {
    var hand = Hand(on: panel.device, .defaults)
    for _ in 0..<3 {
      for isLanding in [true, false] {
        hand.send([InputEvent(type: 3, code: code, value: 0)] + panel.report(500, 400, isLanding: isLanding))
        hand.wait(40)
      }
      hand.send(panel.lift)
      hand.wait(400)
    }
    #expect(hand.count == 3)
  }

  @Test func `a panel that takes BTN_TOUCH back in each report counts where its sizes say that a finger lifted`() {
    for isListing in [true, false] {
      var hand = Hand(on: isListing ? .listing : .screen(), .defaults)
      for x in [200, 800, 820] as [Int32] {
        for size in [23, 23, 23, 0, 0] as [Int32] {
          let contact = [(3, 0x39, 0), (3, 0x35, x), (3, 0x36, 400), (3, 0x30, size)] as [(UInt16, UInt16, Int32)]
          hand.send(Panel.events([(1, 0x14a, 1)] + contact + (isListing ? [(0, 2, 0)] : []) + [(1, 0x14a, 0)]))
          hand.wait(16)
        }
        hand.wait(400)
      }
      #expect(hand.places == [0.2, 0.8, 0.82])
    }
  }

  @Test func `a panel on which nothing ever lifts is reported once`() {
    var hand = Hand(.defaults)
    hand.land(x: 100, y: 400)
    for step in 1...200 as ClosedRange<Int32> {
      hand.wait(1000)
      hand.move(x: 100 + step % 2 * 600, y: 400)
    }
    #expect(
      hand.said == [
        "a contact at 70 %, 40 % has not lifted for 60 s; if nobody touches it, the panel does not report lifts"
      ])
    #expect(hand.recognizer.nextDeadline != nil)
    hand.lift()
    #expect(hand.recognizer.nextDeadline == nil)
  }
}
