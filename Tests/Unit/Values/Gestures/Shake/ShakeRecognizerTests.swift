import Gestures
import Motion
import Testing

@Suite struct ShakeRecognizerTests {
  /// For ``ShakingDevice/init(_:_:axis:)``, and how many shakes it counts.
  private static let scripts: [(sentence: String, script: String, counts: Int)] = [
    ("a shake counts once", "rest 1, shake 6, rest 1", 1),
    ("a shake counts once however long it goes on: 2 s", "rest 1, shake 16, rest 1", 1),
    ("a shake counts once however long it goes on: 5 s", "rest 1, shake 40, rest 1", 1),
    ("a shake counts once however long it goes on: 30 s", "rest 1, shake 240, rest 1", 1),
    (
      "a second shake counts after a moment of rest",
      "rest 1" + String(repeating: ", shake 6, rest 0.5", count: 10), 10
    ),
    (
      "a hand that stops for less than a moment goes on with the same shake",
      "rest 1" + String(repeating: ", shake 6, rest 0.2", count: 10) + ", rest 1", 1
    ),
    ("fewer than four strokes are a jerk, however strong: 1", "rest 4, shake 1 60, rest 1", 0),
    ("fewer than four strokes are a jerk, however strong: 2", "rest 4, shake 2 60, rest 1", 0),
    ("fewer than four strokes are a jerk, however strong: 3", "rest 4, shake 3 60, rest 1", 0),
    ("a shake behind a jerk of one stroke counts", "rest 4, shake 1 60, rest 1, shake 5 60", 1),
    ("a shake behind a jerk of two strokes counts", "rest 4, shake 2 60, rest 1, shake 5 60", 1),
    ("a shake behind a jerk of three strokes counts", "rest 4, shake 3 60, rest 1, shake 5 60", 1),
    // Slower than any shake, then as fast.
    ("steady strokes of a gait are no shake", "shake 4 12 0.9, shake 40 12 3", 0),
    ("a much stronger shake in a gait is one", "shake 4 12 0.9, shake 40 12 3, shake 8 40 4", 1),
    ("strokes that follow each other too slowly are none of one shake", "rest 1, shake 20 20 0.8", 0),
    (
      "the device's own vibration counts nothing, and neither does the moment after it",
      "rest 1, ignore 1, shake 10, rest 0.1", 0
    ),
    ("a shake after the device's own vibration counts", "rest 1, ignore 1, shake 10, rest 0.6, shake 6", 1),
    (
      "a motor that is felt as strokes counts nothing while it is known to run",
      "rest 3, ignore 1.2, vibrate 1.2, rest 1", 0
    ),
    ("a motor that is felt as strokes counts where it is not known to run", "rest 3, vibrate 1.2, rest 1", 1),
    ("a recogniser that is told to starts afresh", "rest 1, shake 2, cancel, shake 2, rest 1", 0),
    (
      "a shake in which the sensor stalls counts once",
      "rest 1" + String(repeating: ", shake 8, stall 0.4", count: 5), 1
    ),
  ]

  private static let pulses = stride(from: 0.0, through: 0.6, by: 0.05).map { pause in
    (
      sentence: "a shake \(pause) s after a pulse counts",
      script: "rest 3, ignore 0.06, vibrate 0.06, rest \(pause), shake 10 20 5, rest 1", counts: 1
    )
  }

  @Test(arguments: scripts + pulses) func `shakes are counted`(sentence: String, script: String, counts: Int) {
    #expect(ShakingDevice(script).shakes.count == counts, "\(sentence)")
  }

  @Test func `a shake counts while it is being made, and says since when and how strongly`() throws {
    var device = ShakingDevice("rest 1")
    let start = device.now
    device.shake(strokes: 12)
    let shake = try #require(device.shakes.first)
    #expect(shake.time < Int64((start + 0.6) * 1e9))
    #expect(abs(Double(shake.start) * 1e-9 - start) < 0.12)
    #expect((12...21).contains(shake.strength))
  }

  @Test(arguments: [
    ("strokes that no runner's falls could be count at once", Vector(1, 0, 0), "shake 8 17", 1),
    ("strokes that a runner's falls could be must stand out twice as much", Vector(0, 0, 1), "shake 8 17", 0),
    ("a shake up and down counts after rest", Vector(0, 0, 1), "rest 3, shake 8 20", 1),
  ])
  func `strokes along an axis are counted`(sentence: String, axis: Vector, script: String, counts: Int) {
    #expect(ShakingDevice(script, axis: axis).shakes.count == counts, "\(sentence)")
  }

  @Test func `weak strokes count for who wants them to`() {
    for (parameters, least) in [(ShakeParameters.light, 9.0), (.firm, 12), (.hard, 19)] {
      for (strength, counts) in [(least, 1), (least * 0.7, 0)] {
        let device = ShakingDevice("rest 1, shake 8 \(strength), rest 1", parameters)
        #expect(device.shakes.count == counts, "\(parameters.strength): \(strength)")
      }
    }
  }

  @Test func `going round in a circle is no shake`() {
    var device = ShakingDevice("rest 1")
    let corners = [(1, 0), (0.87, 0.5), (0.5, 0.87), (0, 1), (-0.5, 0.87), (-0.87, 0.5)]
    for step in 0..<200 {
      let (x, y) = corners[step / 2 % 6]
      let side = step / 12 % 2 == 0 ? 14.0 : -14
      device.feel(Vector(x * side, y * side, 9.8))
    }
    #expect(device.shakes.isEmpty)
  }
}
