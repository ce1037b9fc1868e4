import Gestures
import Testing

@Suite struct GravityScaleTests {
  /// The factor after a sensor has felt this much for so many seconds, 50 times a second.
  private func factor(_ felt: [Double], seconds: Double = 1.5) -> Double {
    var scale = GravityScale()
    var time: Int64 = 0
    for value in felt {
      for _ in 0..<Int(seconds * 50) {
        time += 20_000_000
        _ = scale.scaled(AccelerationSample(time: time, x: 0, y: value * 0.6, z: value * 0.8)) {}
      }
    }
    return scale.factor
  }

  @Test func `a sensor within a fifth of 1 g is left as it is`() {
    for value in [9.80665, 8.0, 11.7] { #expect(factor([value]) == 1) }
  }

  @Test func `one that is further off is put right`() {
    for value in [0.980665, 98.0665, 7.0, 12.5, 19.6] {
      #expect(abs(factor([value]) * value - 9.80665) < 1e-6)
    }
  }

  @Test func `one that comes right is believed again`() { #expect(factor([98, 9.8]) == 1) }

  @Test func `a change is told once, and not again for the sensor's unsteadiness`() {
    var scale = GravityScale()
    var changes = 0
    for index in 1...500 {
      let felt = 98 + (index.isMultiple(of: 2) ? 1.0 : -1.0) * Double(index) / 500
      _ = scale.scaled(AccelerationSample(time: Int64(index) * 20_000_000, x: 0, y: 0, z: felt)) { changes += 1 }
    }
    #expect(changes == 1)
  }

  @Test func `what is too short, falls or says nothing proves nothing`() {
    #expect(factor([98], seconds: 0.9) == 1)
    for value in [0, 0.1, 1e6, .nan, .infinity] { #expect(factor([value]) == 1) }
  }

  @Test func `what moves proves nothing`() {
    let moving = (0..<30).map { $0.isMultiple(of: 2) ? 30.0 : 3.0 }
    #expect(factor(moving, seconds: 0.1) == 1)
  }
}
