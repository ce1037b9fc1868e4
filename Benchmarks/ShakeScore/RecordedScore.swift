import Gestures
import Motion

/// How every rule does on recordings of real devices.
struct RecordedScore {
  private let entries: [RecordingFolder.Entry]

  init(_ entries: [RecordingFolder.Entry]) { self.entries = entries }

  func write() {
    print("## Recordings: counts where nothing is shaken\n")
    writeWrong()
    print("## Recordings: single shakes cut out of continuous shaking, 26 Hz, ±2 g: counted / counted twice\n")
    writeExcerpts()
  }

  private func writeWrong() {
    let still = entries.filter { $0.isShaken == false }
    let jerks = ["punch", "flex"]
    let kinds: [(name: String, entries: [RecordingFolder.Entry])] = [
      ("walking", still.filter { $0.label.hasPrefix("walking") }),
      ("jogging", still.filter { $0.label == "jogging" }),
      ("jerks", still.filter { jerks.contains($0.label) }),
      (
        "driving and others",
        still.filter { !$0.label.hasPrefix("walking") && $0.label != "jogging" && !jerks.contains($0.label) }
      ),
    ].filter { !$0.1.isEmpty }
    var table = Table(
      ["rule"] + kinds.map { "\($0.name), \(decimal($0.entries.reduce(0) { $0 + $1.duration } / 60, 1)) min" })
    for (name, rule) in Rules.all {
      table.add([name] + kinds.map { "\(wrong(rule, in: $0.entries.map(\.samples)))" })
    }
    for (name, sensor) in Sensor.variants.dropFirst() {
      table.add(
        ["\(Rules.ours), \(name)"]
          + kinds.map { "\(wrong(ShakeRecognizer(), in: $0.entries.map { sensor.samples(of: $0.samples) }))" })
    }
    table.write()
  }

  private func wrong(_ rule: some ShakeCounter, in recordings: [[AccelerationSample]]) -> Int {
    recordings.reduce(0) { $0 + counts(of: rule, in: $1).count }
  }

  private func writeExcerpts() {
    let lengths = [0.6, 0.8, 1, 1.5, 2]
    let excerpts = lengths.map { length in
      entries.filter { $0.isShaken == true }.flatMap { Excerpt.all(of: $0, lasting: length) }
    }
    var table = Table(["rule"] + zip(lengths, excerpts).map { "\($0) s, \($1.count) shakes" })
    for (name, rule) in Rules.all {
      table.add(
        [name]
          + excerpts.map { excerpts in
            var score = Score()
            for excerpt in excerpts {
              score.add(counts: counts(of: rule, in: excerpt.samples), shakes: [excerpt.shake], duration: 0)
            }
            return decimal(score.recall) + " / \(score.doubles)"
          })
    }
    table.write()
  }
}
