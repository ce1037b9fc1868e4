import Gestures
import Motion

/// How every rule does on recordings of real devices.
struct RecordedScore {
  private let recordings: RecordingFolder

  init(_ recordings: RecordingFolder) { self.recordings = recordings }

  func write() {
    print("## Recordings: counts where nothing is shaken\n")
    writeWrong()
    print("## Recordings: single shakes cut out of continuous shaking, 26 Hz, ±2 g: counted / counted twice\n")
    writeExcerpts()
  }

  private func writeWrong() {
    let still = recordings.entries.filter { $0.isShaken == false }
    let kinds: [(name: String, entries: [RecordingFolder.Entry])] = [
      ("walking", still.filter { $0.label.hasPrefix("walking") }),
      ("jogging", still.filter { $0.label == "jogging" }),
      ("jerks", still.filter { ["punch", "flex"].contains($0.label) }),
      (
        "driving and others",
        still.filter { !$0.label.hasPrefix("walking") && !["jogging", "punch", "flex"].contains($0.label) }
      ),
    ]
    var table = Table(
      ["rule"]
        + kinds.map { "\($0.name), \(decimal($0.entries.reduce(0) { $0 + $1.duration } / 60, 1)) min" })
    for (name, rule) in Rules.all {
      table.add(
        [name]
          + kinds.map { kind in "\(kind.entries.reduce(0) { $0 + counts(of: rule, in: $1.samples).count })" })
    }
    table.write()
  }

  private func writeExcerpts() {
    let lengths = [0.6, 0.8, 1, 1.5, 2]
    let excerpts = lengths.map { length in
      recordings.entries.filter { $0.isShaken == true }.flatMap { Excerpt.all(of: $0, lasting: length) }
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
