import Gestures
import Motion
import TestKit
import Testing

/// What a broken sensor may send: it counts nothing, and after it a shake counts.
@Suite struct ShakeHostileInputTests {
  private func checkShake(_ device: inout ShakingDevice) {
    device.rest(for: 1)
    device.shake(strokes: 6)
    #expect(device.shakes.count == 1)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e308, -1e308, 1e4]) func `what is no reading is left out`(
    value: Double
  ) {
    var device = ShakingDevice("rest 1")
    for step in 0..<500 { device.feel(Vector(step.isMultiple(of: 2) ? value : -value, value, 0)) }
    #expect(device.shakes.isEmpty)
    checkShake(&device)
  }

  @Test func `a sensor that jumps between the ends of its range counts nothing`() {
    var device = ShakingDevice("rest 1")
    for step in 0..<1000 { device.feel(Vector(step / 10 % 2 == 0 ? 390 : -390, 0, 0)) }
    #expect(device.shakes.isEmpty)
  }

  @Test(arguments: [Int64.min, -1, 0, 500_000_000, Int64.max]) func `a jump in time ends what was before it`(
    time: Int64
  ) {
    var device = ShakingDevice("rest 1")
    device.shake(strokes: 2)
    #expect(device.recognizer.handle(AccelerationSample(time: time, x: 0, y: 0, z: 9.8)) == nil)
    device.shake(strokes: 2)
    device.rest(for: 1)
    #expect(device.shakes.isEmpty)
    device.shake(strokes: 6)
    #expect(device.shakes.count == 1)
  }

  @Test(arguments: [0.1, 0.5, 2, 10]) func `a sensor that changes its scale counts nothing, and then a shake`(
    factor: Double
  ) {
    var device = ShakingDevice()
    var scale = GravityScale()
    func feel(_ force: Vector, _ factor: Double) {
      let sample = AccelerationSample(time: Int64(device.now * 1e9), force * factor)
      let scaled = scale.scaled(sample) { device.recognizer.cancel() }
      device.feel(scaled.vector)
    }
    func rest(_ seconds: Int, _ factor: Double) {
      for _ in 0..<seconds * 100 { feel(Vector(0, 0, 9.8), factor) }
    }
    for _ in 0..<3 {
      rest(2, 1)
      rest(2, factor)
    }
    #expect(device.shakes.isEmpty)
    for step in 0..<100 { feel(Vector((step / 10).isMultiple(of: 2) ? 20 : -20, 0, 9.8), factor) }
    rest(1, factor)
    #expect(device.shakes.count == 1)
  }

  @Test func `samples that all bear one time count nothing`() {
    var device = ShakingDevice("rest 1")
    for step in 0..<10_000 {
      device.now -= device.period
      device.feel(Vector(step / 100 % 2 == 0 ? 30 : -30, 0, 9.8))
    }
    #expect(device.shakes.isEmpty)
    checkShake(&device)
  }

  @Test(.seeded, arguments: 0..<Rounds.times(15)) func `whatever comes, two shakes are a moment apart`(number: Int) {
    var random = Seed.generator(case: number)
    var recognizer = ShakeRecognizer(parameters: .light)
    var time: Int64 = 0
    var last: Int64?
    for _ in 0..<5000 {
      switch random.whole(0...200) {
      case 0: time = random.happens(0.5) ? Int64.random(in: .min ... .max, using: &random) : time &- 100_000_000
      case 1: time &+= Int64(random.number(0...1e9))
      default: time &+= Int64(random.number(-1e6...2e7))
      }
      let size = random.factor(0.1...(random.happens(0.01) ? 1e300 : 60))
      let sample = AccelerationSample(
        time: time, x: random.normal() * size, y: random.normal(), z: random.happens(0.01) ? .nan : 9.8)
      if random.happens(0.001) { recognizer.ignore(until: time) }
      if random.happens(0.001) { recognizer.cancel() }
      guard let shake = recognizer.handle(sample) else { continue }
      #expect(shake.time == time)
      #expect(shake.strength >= ShakeParameters.light.strength && shake.strength <= 160)
      if let last, time > last {
        let (gap, isTooLong) = time.subtractingReportingOverflow(last)
        #expect(isTooLong || gap >= 350_000_000)
      }
      last = time
    }
  }
}
