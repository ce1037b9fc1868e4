import Gestures
import Motion
import Testing

@Suite struct ShakeRecognizerTests {
  @Test func `a shake counts once`() {
    var device = ShakingDevice()
    device.rest(for: 1)
    device.shake(strokes: 6)
    device.rest(for: 1)
    #expect(device.shakes.count == 1)
  }

  @Test func `a shake counts while it is being made, and says since when and how strongly`() throws {
    var device = ShakingDevice()
    device.rest(for: 1)
    let start = device.now
    device.shake(strokes: 12)
    let shake = try #require(device.shakes.first)
    #expect(shake.time < Int64((start + 0.6) * 1e9))
    #expect(abs(Double(shake.start) * 1e-9 - start) < 0.12)
    #expect((12...21).contains(shake.strength))
  }

  @Test(arguments: [2, 5, 30.0]) func `a shake counts once however long it goes on`(seconds: Double) {
    var device = ShakingDevice()
    device.rest(for: 1)
    device.shake(strokes: Int(seconds * 8))
    device.rest(for: 1)
    #expect(device.shakes.count == 1)
  }

  @Test func `a second shake counts after a moment of rest`() {
    var device = ShakingDevice()
    device.rest(for: 1)
    for _ in 0..<10 {
      device.shake(strokes: 6)
      device.rest(for: 0.5)
    }
    #expect(device.shakes.count == 10)
  }

  @Test func `a hand that stops for less than a moment goes on with the same shake`() {
    var device = ShakingDevice()
    device.rest(for: 1)
    for _ in 0..<10 {
      device.shake(strokes: 6)
      device.rest(for: 0.2)
    }
    device.rest(for: 1)
    #expect(device.shakes.count == 1)
  }

  @Test(arguments: [1, 2, 3]) func `fewer than four strokes are a jerk, however strong`(strokes: Int) {
    var device = ShakingDevice()
    device.rest(for: 4)
    device.shake(strokes: strokes, strength: 60)
    device.rest(for: 1)
    #expect(device.shakes.isEmpty)
    device.shake(strokes: 5, strength: 60)
    #expect(device.shakes.count == 1)
  }

  @Test func `strokes that a runner's falls could be must stand out twice as much`() {
    for (axis, counts) in [(Vector(1, 0, 0), 1), (Vector(0, 0, 1), 0)] {
      var device = ShakingDevice(axis: axis)
      device.shake(strokes: 8, strength: 17)
      #expect(device.shakes.count == counts, "along \(axis)")
    }
  }

  @Test func `a shake up and down counts after rest`() {
    var device = ShakingDevice(axis: Vector(0, 0, 1))
    device.rest(for: 3)
    device.shake(strokes: 8, strength: 20)
    #expect(device.shakes.count == 1)
  }

  @Test func `steady strokes of a gait are no shake, and a much stronger shake is`() {
    var device = ShakingDevice()
    // Slower than any shake, then as fast.
    device.shake(strokes: 4, strength: 12, frequency: 0.9)
    device.shake(strokes: 40, strength: 12, frequency: 3)
    #expect(device.shakes.isEmpty)
    device.shake(strokes: 8, strength: 40, frequency: 4)
    #expect(device.shakes.count == 1)
  }

  @Test func `strokes that follow each other too slowly are none of one shake`() {
    var device = ShakingDevice()
    device.rest(for: 1)
    device.shake(strokes: 20, frequency: 0.8)
    #expect(device.shakes.isEmpty)
  }

  @Test func `weak strokes count for who wants them to`() {
    for (parameters, strengths) in [(ShakeParameters.light, 9.0...60), (.firm, 12...60), (.hard, 19...60)] {
      for (strength, counts) in [(strengths.lowerBound, 1), (strengths.lowerBound * 0.7, 0)] {
        var device = ShakingDevice(parameters)
        device.rest(for: 1)
        device.shake(strokes: 8, strength: strength, frequency: 4)
        device.rest(for: 1)
        #expect(device.shakes.count == counts, "\(parameters.strength): \(strength)")
      }
    }
  }

  @Test func `the device's own vibration counts nothing, and neither does the moment after it`() {
    var device = ShakingDevice()
    device.rest(for: 1)
    device.recognizer.ignore(until: Int64((device.now + 1) * 1e9))
    device.shake(strokes: 10)
    device.rest(for: 0.1)
    #expect(device.shakes.isEmpty)
    device.rest(for: 0.5)
    device.shake(strokes: 6)
    #expect(device.shakes.count == 1)
  }

  @Test func `a shake right after a pulse counts`() {
    for pause in stride(from: 0.0, through: 0.6, by: 0.05) {
      var device = ShakingDevice()
      device.rest(for: 3)
      device.recognizer.ignore(until: Int64((device.now + 0.06) * 1e9))
      vibrate(&device, for: 0.06)
      device.rest(for: pause)
      device.shake(strokes: 10, frequency: 5)
      device.rest(for: 1)
      #expect(device.shakes.count == 1, "\(pause)")
    }
  }

  @Test func `a motor that is felt as strokes counts nothing while it is known to run, and does if it is not`() {
    for (isKnown, counts) in [(true, 0), (false, 1)] {
      var device = ShakingDevice()
      device.rest(for: 3)
      if isKnown { device.recognizer.ignore(until: Int64((device.now + 1.2) * 1e9)) }
      vibrate(&device, for: 1.2)
      device.rest(for: 1)
      #expect(device.shakes.count == counts)
    }
  }

  /// What a sensor of 100 Hz feels of a motor that turns 106 times a second.
  private func vibrate(_ device: inout ShakingDevice, for seconds: Double) {
    device.shake(strokes: Int(seconds * 12), strength: 14, frequency: 6)
  }

  @Test func `going round in a circle is no shake`() {
    var device = ShakingDevice()
    device.rest(for: 1)
    let corners = [(1, 0), (0.87, 0.5), (0.5, 0.87), (0, 1), (-0.5, 0.87), (-0.87, 0.5)]
    for step in 0..<200 {
      let (x, y) = corners[step / 2 % 6]
      let side = step / 12 % 2 == 0 ? 14.0 : -14
      device.feel(Vector(x * side, y * side, 9.8))
    }
    #expect(device.shakes.isEmpty)
  }
}
