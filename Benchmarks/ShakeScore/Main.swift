import Gestures
import Motion

/// Prints how the shake recogniser does beside the rules of other projects.
///
/// Its one argument is the folder with the recordings; without it, the one in the project's folder.
@main enum Main {
  /// What parameters may be chosen by, and what nothing is ever chosen by: other people, and motion from another seed.
  private static let halves: [(title: String, isForChoosing: Bool, seed: UInt64)] = [
    ("The half that parameters are chosen by", true, 31_415_926),
    ("The half that nothing is chosen by", false, 1_618_033_988),
  ]
  private static let size = 8

  static func main() {
    do {
      let folder = CommandLine.arguments.dropFirst().first ?? "Recordings/accelerometer"
      let recordings = try RecordingFolder(folder)
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
