import Gestures
import Testing

/// Down is down as the person sees it, however the surface is mounted.
@Suite struct CalibrationTests {
  /// A surface of 200 by 100 mm.
  private static let wide = DeviceDescription.screen().with {
    $0.axes[0x35] = .init(minimum: -1000, maximum: 1000, resolution: 10)
    $0.axes[0x36] = .init(minimum: 0, maximum: 1000, resolution: 10)
  }

  /// What a stroke to the right along the device's own x is to the person, and where its beginning is: for the device
  /// that is at a quarter of its width and three quarters of its height.
  private func see(_ calibration: Calibration) -> (kind: Gesture.Kind?, x: Double?, y: Double?) {
    var hand = Hand()
    hand.recognizer = DeviceRecognizer(description: Self.wide, calibration: calibration)
    for (x, time) in [(-500, 50), (-400, 50), (0, 50)] as [(Int32, Int64)] {
      hand.report([(0x2f, 0), (0x39, 5), (0x35, x), (0x36, 750)])
      hand.wait(time)
    }
    hand.lift()
    #expect(hand.gestures.count == 1)
    return (hand.kinds.first, hand.gestures.first?.position?.x, hand.gestures.first?.position?.y)
  }

  @Test func `a surface that is turned, inverted or has its axes exchanged`() {
    #expect(see(.none) == (.swipeRight, 0.25, 0.75))
    #expect(see(Calibration(invertsX: true)) == (.swipeLeft, 0.75, 0.75))
    #expect(see(Calibration(invertsY: true)) == (.swipeRight, 0.25, 0.25))
    #expect(see(Calibration(swapsAxes: true)) == (.swipeDown, 0.75, 0.25))
    #expect(see(Calibration(turn: .right)) == (.swipeDown, 0.25, 0.25))
    #expect(see(Calibration(turn: .over)) == (.swipeLeft, 0.75, 0.25))
    #expect(see(Calibration(turn: .left)) == (.swipeUp, 0.75, 0.75))
  }

  @Test func `libinput's matrices mean what its documentation says`() {
    #expect(Calibration(matrix: "1 0 0 0 1 0") == Calibration.none)
    #expect(Calibration(matrix: "0 -1 1 1 0 0") == Calibration(turn: .right))
    #expect(Calibration(matrix: "-1.0 0 1 0 -1.0 1") == Calibration(turn: .over))
    #expect(Calibration(matrix: "0 1 0 -1 0 1") == Calibration(turn: .left))
    for wrong in ["", "1 0 0 0 1", "1 0 0 0 1 0 0", "1 0 0 0 one 0", "nan 0 0 0 1 0", "1e9 0 0 0 1 0", "1 1 0 1 1 0"] {
      #expect(Calibration(matrix: wrong) == nil, "\(wrong)")
    }
  }

  @Test func `a surface that covers half of what the person sees has strokes as long as before`() throws {
    let half = try #require(Calibration(matrix: "0.5 0 0.5 0 1 0"))
    let (kind, x, y) = see(half)
    #expect(kind == .swipeRight && x == 0.625 && y == 0.75)
    // 12 mm make a swipe: on a surface of 200 mm they are 120 of its steps, whatever part of the picture they cover.
    for (steps, isSwipe) in [(115, false), (125, true)] as [(Int32, Bool)] {
      var hand = Hand(on: Self.wide)
      hand.recognizer = DeviceRecognizer(description: Self.wide, calibration: half)
      hand.stroke([(0, 500), (steps, 500)])
      #expect(hand.kinds == [isSwipe ? .swipeRight : .tap])
    }
  }

  @Test func `a panel mounted upside down swipes down`() throws {
    let (device, frames) = try Recording.load("ep0430m09-4-finger-drag-down")
    var recognizer = DeviceRecognizer(description: device, calibration: Calibration(invertsY: true))
    #expect(frames.flatMap { recognizer.handle($0) }.map(\.words) == ["4 swipe-down"])
  }
}
