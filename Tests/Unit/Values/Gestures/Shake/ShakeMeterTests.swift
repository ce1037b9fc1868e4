import Gestures
import Motion
import Testing

/// What a person's shake is measured as.
@Suite struct ShakeMeterTests {
  /// Everything that is measured in bouts of swings to and fro, each given by strength and frequency, with rest between.
  private func measures(_ bouts: [(strength: Double, frequency: Double, seconds: Double)]) -> [ShakeMeter.Measure] {
    var meter = ShakeMeter()
    var measures: [ShakeMeter.Measure] = []
    var time = 0.0
    func feel(_ x: Double) {
      time += 0.01
      let sample = AccelerationSample(time: Int64(time * 1e9), x: x, y: 0, z: 9.80665)
      if let measure = meter.take(sample) { measures.append(measure) }
    }
    for bout in bouts {
      for _ in 0..<100 { feel(0) }
      for step in 0..<Int(bout.seconds * 100) {
        feel(bout.strength * ShakingDevice.triangle(Double(step) * 0.01 * bout.frequency))
      }
      for _ in 0..<100 { feel(0) }
    }
    return measures
  }

  @Test func `each bout is measured once, by its strongest strokes`() throws {
    let measures = measures([(20, 4, 1), (40, 5, 1.2)])
    #expect(measures.count == 2)
    let (first, second) = (try #require(measures.first), try #require(measures.last))
    #expect((7...9).contains(first.strokes) && (11...13).contains(second.strokes))
    #expect((14...20).contains(first.strength) && (26...40).contains(second.strength))
    #expect(first.weakest <= first.strength && first.weakest > 10)
    #expect(abs(first.strokeTime - 0.125) < 0.02 && abs(second.strokeTime - 0.1) < 0.02)
  }

  @Test func `what is too weak to be felt is no bout`() { #expect(measures([(1.5, 4, 2)]).isEmpty) }

  @Test func `time that jumps and nonsense are borne`() {
    var meter = ShakeMeter()
    for (time, value) in [(5, 1.0), (3, 1e300), (.max, .nan), (.min, .infinity), (7, -1e300)] as [(Int64, Double)] {
      #expect(meter.take(AccelerationSample(time: time, x: value, y: value, z: value)) == nil)
    }
  }
}
