import Gestures
import Motion

/// Prints how the shake recogniser does beside the rules of other projects.
///
/// Each argument is a folder of recordings with an `index.csv`, on which the recogniser is scored as it is and without each
/// of its stages. Without an argument, that is the project's own folder, and generated motion follows.
@main enum Main {
  /// What parameters may be chosen by, and what nothing is ever chosen by: other people, and motion from another seed.
  private static let halves: [(title: String, isForChoosing: Bool, seed: UInt64)] = [
    ("The half that parameters are chosen by", true, 31_415_926),
    ("The half that nothing is chosen by", false, 1_618_033_988),
  ]
  private static let size = 8

  static func main() {
    do {
      let folders = CommandLine.arguments.dropFirst()
      if !folders.isEmpty {
        return try StageScore(entries: folders.flatMap { try RecordingFolder($0).entries }).write()
      }
      let recordings = try RecordingFolder("Recordings/accelerometer")
      try StageScore(entries: recordings.entries).write()
      for half in halves {
        print("# \(half.title)\n")
        GeneratedScore(seed: half.seed, size: size).write()
        RecordedScore(recordings.entries.filter { $0.isForChoosing == half.isForChoosing }).write()
      }
    } catch {
      print("shake-score: \(error)")
    }
  }
}
