import Gestures
import Motion

/// How every rule does on generated motion, by sensor and by kind of motion.
struct GeneratedScore {
  /// By rule, then sensor, then kind of motion.
  private var scores: [String: [String: [String: Score]]] = [:]
  private let groups = Trials.groups.map(\.name)

  init(seed: UInt64, size: Int) {
    for trial in Trials(seed: seed, size: size) {
      for (sensorName, sensor) in Sensor.variants {
        let samples = sensor.samples(of: trial.scene)
        for (name, rule) in Rules.all {
          let counts = counts(of: rule, in: samples)
          scores[name, default: [:]][sensorName, default: [:]][trial.group, default: Score()]
            .add(counts: counts, shakes: trial.shakes, duration: trial.duration)
        }
      }
    }
  }

  func write() {
    let usual = Sensor.variants[0].name
    print("## Generated motion, \(usual)\n")
    writeShakes(usual)
    print("Counts a minute where nothing is shaken:\n")
    writeWrong(usual)
    print("## Generated motion by sensor: precision / recall\n")
    writeSensors()
  }

  private func all(_ rule: String, _ sensor: String) -> Score {
    groups.reduce(Score()) { $0 + score(rule, sensor, $1) }
  }

  private func score(_ rule: String, _ sensor: String, _ group: String) -> Score {
    scores[rule]?[sensor]?[group] ?? Score()
  }

  private func writeShakes(_ sensor: String) {
    var table = Table([
      "rule", "precision", "recall", "F1", "at rest", "other hands", "walking", "running", "twice", "p50 s", "p90 s",
    ])
    for (name, _) in Rules.all {
      let score = all(name, sensor)
      table.add(
        [name, decimal(score.precision), decimal(score.recall), decimal(score.f1)]
          + ["shake", "shake, other hands", "shake, walking", "shake, running"].map {
            decimal(self.score(name, sensor, $0).recall)
          }
          + ["\(score.doubles)"] + [0.5, 0.9].map { score.latency($0).map { decimal($0) } ?? "-" })
    }
    table.write()
  }

  private func writeWrong(_ sensor: String) {
    let still = groups.filter { !$0.hasPrefix("shake") }
    var table = Table(["rule"] + still)
    for (name, _) in Rules.all {
      table.add([name] + still.map { decimal(score(name, sensor, $0).wrongPerMinute) })
    }
    table.write()
  }

  /// One row a sensor: there are more of these than of rules.
  private func writeSensors() {
    var table = Table(["sensor"] + Rules.all.map(\.name))
    for (sensor, _) in Sensor.variants {
      table.add(
        [sensor]
          + Rules.all.map { rule, _ in
            let score = all(rule, sensor)
            return decimal(score.precision) + " / " + decimal(score.recall)
          })
    }
    table.write()
  }
}
