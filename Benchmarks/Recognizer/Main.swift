import Gestures

/// Prints how many nanoseconds the recogniser takes for a frame in which ten fingers move: where only the defaults are
/// bound, and where a double-tap and a long press wait in each cell of a grid of nine.
@main
enum Main {
  static func main() {
    let axis = DeviceDescription.Axis(minimum: 0, maximum: 4095)
    let device = DeviceDescription(
      name: "screen", properties: [1], codes: [1: [0x14a], 3: [0, 1, 0x2f, 0x35, 0x36, 0x39]],
      axes: [0: axis, 1: axis, 0x2f: .init(minimum: 0, maximum: 9), 0x35: axis, 0x36: axis])
    let plain = [Interest(.tap, .touch(fingers: 1, zone: nil)), Interest(.swipeDown, .touch(fingers: 1, zone: nil))]
    let cells = (0..<9).compactMap { Zone(column: $0 % 3 + 1, row: $0 / 3 + 1, of: (3, 3)) }
    let many = cells.flatMap { cell in
      [Gesture.Kind.tap, .doubleTap, .longPress].map { Interest($0, .touch(fingers: 1, zone: cell)) }
    }
    print(
      cost(DeviceRecognizer(description: device, interests: plain)),
      cost(DeviceRecognizer(description: device, interests: plain + many)))
  }

  private static let fingers = Int32(0)..<10
  private static let framesOfRound = 200_000

  /// The median of several rounds, in nanoseconds for a frame.
  private static func cost(_ recognizer: DeviceRecognizer) -> Int {
    var recognizer = recognizer
    var time: Int64 = 1_000_000_000
    let landing = fingers.flatMap { finger in
      [InputEvent(type: 3, code: 0x2f, value: finger), InputEvent(type: 3, code: 0x39, value: 100 + finger)]
        + place(finger, step: 0)
    }
    _ = recognizer.handle(Frame(time: time, events: landing))
    // Back and forth, a step in each frame.
    let moves = (0..<400 as Range<Int32>).map { step in
      fingers.flatMap { finger in
        [InputEvent(type: 3, code: 0x2f, value: finger)] + place(finger, step: step < 200 ? step : 400 - step)
      }
    }
    var found = 0
    let rounds = (0..<11).map { _ in
      ContinuousClock().measure {
        for number in 0..<framesOfRound {
          time += 1_000_000
          found += recognizer.handle(Frame(time: time, events: moves[number % moves.count])).count
        }
      }
    }
    precondition(found == 0, "fingers that never lift make no gesture")
    return Int(rounds.sorted()[rounds.count / 2] / framesOfRound / .nanoseconds(1))
  }

  private static func place(_ finger: Int32, step: Int32) -> [InputEvent] {
    [
      InputEvent(type: 3, code: 0x35, value: 200 + 350 * finger + step),
      InputEvent(type: 3, code: 0x36, value: 500 + 300 * finger - step),
    ]
  }
}
