import Gestures
import Motion
import TestKit
import Testing

/// What real devices felt.
@Suite struct ShakeRecordingTests {
  private static let recordings = Result { try RecordingFolder(Checkout.path("Recordings/accelerometer")) }

  @Test func `nobody shakes in walking, jogging, driving, at doors or in single jerks`() throws {
    for entry in try Self.recordings.get().entries where entry.isShaken == false {
      #expect(counts(of: ShakeRecognizer(), in: Self.part(of: entry.samples)) == [], "\(entry.file)")
    }
  }

  /// The beginning of a recording; all of it in a long run.
  private static func part(of samples: [AccelerationSample]) -> [AccelerationSample] {
    Array(samples.prefix(samples.count * Rounds.times(3, atMost: 10) / 10))
  }

  @Test(arguments: Sensor.variants.map(\.name).prefix(Rounds.times(1)))
  func `nor do they with other sensors, and a little more vigour`(
    name: String
  ) throws {
    var sensor = try #require(Sensor.variants.first { $0.name == name }).sensor
    sensor.scale *= 1.1
    for entry in try Self.recordings.get().entries where entry.isShaken == false {
      // Somebody who jogs with more than his own vigour when the sensor is switched on may count once.
      let allowed = entry.label == "jogging" ? 1 : 0
      #expect(counts(of: ShakeRecognizer(), in: sensor.samples(of: entry.samples)).count <= allowed, "\(entry.file)")
    }
  }

  @Test func `somebody who shakes on and on is counted, and hardly ever twice`() throws {
    for entry in try Self.recordings.get().entries where entry.isShaken == true {
      #expect((1...4).contains(counts(of: ShakeRecognizer(), in: entry.samples).count), "\(entry.file)")
    }
  }

  @Test(arguments: [0.8, 1.5]) func `a shake cut out of a recording counts once`(length: Double) throws {
    var score = Score()
    for entry in try Self.recordings.get().entries where entry.isShaken == true {
      for excerpt in Excerpt.all(of: entry, lasting: length) {
        score.add(
          counts: counts(of: ShakeRecognizer(), in: excerpt.samples), shakes: [excerpt.shake], duration: 0)
      }
    }
    #expect(score.doubles == 0)
    #expect(score.wrong == 0)
    #expect(score.shakes > 100)
    // Sensors of 26 Hz, one of which clips at ±2 g, and shakes that begin in the middle of a stroke.
    #expect(score.recall >= 0.75)
  }

  @Test func `somebody who runs when the sensor is switched on hardly ever counts`() throws {
    let entry = try #require(try Self.recordings.get().entries.first { $0.label == "jogging" })
    var score = Score()
    for start in stride(from: 0, to: entry.samples.count - 150, by: 8) {
      let rest = entry.samples[start..<start + 150]
      score.add(counts: counts(of: ShakeRecognizer(), in: Array(rest)), shakes: [], duration: 5)
    }
    #expect(score.wrong <= 3)
  }
}
