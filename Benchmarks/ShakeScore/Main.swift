import Gestures
import Motion

/// Prints how the shake recogniser does beside the rules of other projects.
///
/// Its one argument is the folder with the recordings; without it, the one in the project's folder.
@main enum Main {
  /// Motion that nothing was tuned on: development used other seeds.
  private static let seed: UInt64 = 31_415_926
  private static let size = 8

  static func main() {
    do {
      let folder = CommandLine.arguments.dropFirst().first ?? "Recordings/accelerometer"
      let recordings = try RecordingFolder(folder)
      GeneratedScore(seed: seed, size: size).write()
      RecordedScore(recordings).write()
    } catch {
      print("shake-score: \(error)")
    }
  }
}
