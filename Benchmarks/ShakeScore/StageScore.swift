import Gestures
import Motion

/// How the recogniser does on a folder of recordings, by source and kind of motion, and without each of its stages.
struct StageScore {
  let entries: [RecordingFolder.Entry]

  private static let stages: [(name: String, without: @Sendable (inout ShakeParameters) throws -> Void)] = [
    ("all stages", { _ in }),
    (
      "without the strength of strokes",
      {
        try $0.set("strength", to: 3)
        try $0.set("weakest", to: 2)
      }
    ),
    ("three strokes instead of four", { try $0.set("strokes", to: 3) }),
    ("without roundness", { try $0.set("roundness", to: 10) }),
    ("without room for quick strokes", { $0.quickStroke = 0 }),
    ("without prominence", { try $0.set("prominence", to: 0) }),
    ("without caution while nothing is known", { $0.unknownPart = 0 }),
    ("without falls", { $0.fallFactor = 1 }),
    ("without a shortest stroke", { try $0.set("shortest-stroke", to: 0.03) }),
    ("strokes of 0.3 s at most", { try $0.set("longest-stroke", to: 0.3) }),
  ]

  func write() throws {
    print("## By source and kind of motion\n")
    var table = Table(["recordings", "minutes", "found", "doubles", "false", "false a minute"])
    for (name, entries) in groups {
      let score = score(of: ShakeRecognizer(), on: entries)
      table.add([
        name, decimal(score.seconds / 60, 1), "\(score.found) of \(score.shakes)", "\(score.doubles)", "\(score.wrong)",
        decimal(score.wrongPerMinute),
      ])
    }
    table.write()
    print("## What each stage is worth\n")
    table = Table(["recogniser", "precision", "recall", "doubles", "false"])
    for (name, without) in Self.stages {
      var parameters = ShakeParameters.firm
      try without(&parameters)
      add(name, score(of: ShakeRecognizer(parameters: parameters), on: entries), to: &table)
    }
    for (name, rule) in Rules.all.dropFirst() { add(name, score(of: rule, on: entries), to: &table) }
    table.write()
  }

  private func add(_ name: String, _ score: Score, to table: inout Table) {
    table.add([name, decimal(score.precision), decimal(score.recall), "\(score.doubles)", "\(score.wrong)"])
  }

  private var groups: [(name: String, entries: [RecordingFolder.Entry])] {
    let judged = entries.filter { $0.isShaken != nil }
    return Dictionary(grouping: judged) { $0.source + ", " + Self.kind(of: $0.label) }
      .map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 }
  }

  private static func kind(of label: String) -> String {
    ["walking", "gesture"].first { label.hasPrefix($0) } ?? label
  }

  private func score(of rule: some ShakeCounter, on entries: [RecordingFolder.Entry]) -> Score {
    var score = Score()
    for entry in entries where entry.isShaken != nil {
      score.add(counts: counts(of: rule, in: entry.samples).count, in: entry)
    }
    return score
  }
}
