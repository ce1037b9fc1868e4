import Gestures
import Motion
import Randomness
import TestKit
import Testing

/// What holds for shakes of any kind, on generated motion.
@Suite struct ShakePropertyTests {
  static let trials = Array(Trials(seed: 77, size: 1))
  static let shakes = trials.filter { $0.group == "shake" }
  private static let usual = Sensor.variants[0].sensor

  @Test(arguments: Sensor.variants.map(\.name).prefix(Rounds.times(1)))
  func `most shakes count, none twice, and hardly anything else`(
    name: String
  ) throws {
    let sensor = try #require(Sensor.variants.first { $0.name == name }).sensor
    var score = Score()
    for trial in Self.trials where !["running", "shake, running"].contains(trial.group) {
      score.add(
        counts: counts(of: ShakeRecognizer(), in: sensor.samples(of: trial.scene)), shakes: trial.shakes,
        duration: trial.duration)
    }
    #expect(score.doubles == 0)
    #expect(score.wrong <= 1)
    #expect(score.recall >= 0.8)
  }

  @Test func `running counts at most once a minute`() {
    var score = Score()
    for trial in Trials(seed: 78, size: Rounds.times(1, atMost: 3)) where trial.group == "running" {
      score.add(
        counts: counts(of: ShakeRecognizer(), in: Self.usual.samples(of: trial.scene)), shakes: [],
        duration: trial.duration)
    }
    #expect(score.wrongPerMinute <= 1)
  }

  @Test func `most shakes made while running count`() {
    var score = Score()
    for trial in Trials(seed: 79, size: Rounds.times(1, atMost: 5)) where trial.group == "shake, running" {
      score.add(
        counts: counts(of: ShakeRecognizer(), in: Self.usual.samples(of: trial.scene)), shakes: trial.shakes,
        duration: trial.duration)
    }
    #expect(score.doubles == 0)
    #expect(score.recall >= 0.7)
  }

  @Test func `a shake counts however the device is held`() {
    var random = SeededRandom(seed: 5)
    for trial in Self.shakes {
      let samples = Self.usual.samples(of: trial.scene)
      let expected = counts(of: ShakeRecognizer(), in: samples)
      for _ in 0..<4 {
        let rotation = Rotation(&random)
        let turned = samples.map { AccelerationSample(time: $0.time, rotation.turn($0.vector)) }
        #expect(counts(of: ShakeRecognizer(), in: turned) == expected, "\(trial.note)")
      }
    }
  }

  @Test func `firmer settings count no more`() {
    for trial in Self.trials {
      let samples = Self.usual.samples(of: trial.scene)
      let (light, firm, hard) = (
        counts(of: ShakeRecognizer(parameters: .light), in: samples).count,
        counts(of: ShakeRecognizer(parameters: .firm), in: samples).count,
        counts(of: ShakeRecognizer(parameters: .hard), in: samples).count
      )
      #expect(light >= firm && firm >= hard, "\(trial.group) \(trial.note)")
    }
  }

  @Test func `the same samples count the same wherever their time begins`() {
    for trial in Self.shakes.prefix(5) {
      let samples = Self.usual.samples(of: trial.scene)
      let later = samples.map {
        AccelerationSample(time: $0.time + 4_000_000_000_000_000_000, x: $0.x, y: $0.y, z: $0.z)
      }
      var (one, other) = (ShakeRecognizer(), ShakeRecognizer())
      #expect(samples.map { one.handle($0)?.strength } == later.map { other.handle($0)?.strength })
    }
  }
}

/// A turn of the device, any being as likely.
private struct Rotation {
  private let x: Vector
  private let y: Vector
  private let z: Vector

  init(_ random: inout SeededRandom) {
    var scene = Motion.Scene(duration: 0, random: random)
    x = scene.direction()
    y = scene.direction(across: x)
    z = x.cross(y)
    random = scene.random
  }

  func turn(_ vector: Vector) -> Vector { Vector(vector.dot(x), vector.dot(y), vector.dot(z)) }
}
