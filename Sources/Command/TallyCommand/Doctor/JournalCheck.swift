import Journal
import Linux
import Tallymark

/// Checks that the events of a running core's journal fit together.
struct JournalCheck {
  /// The maximum size of the journal in bytes, for which the check takes about a second. Larger ones are left to
  /// `tally verify`.
  private static let most: Int64 = 32 << 20

  /// - Parameter option: the value of `--socket`.
  static func findings(option: String?, _ scope: ServiceScope) -> [Finding] {
    for socket in SocketCheck.places(option: option, scope) {
      if let folder = CoreFolder.find(listeningAt: socket).folder { return findings(for: folder) }
    }
    return []
  }

  /// - Returns: none for a journal that this user may not read; other checks say so.
  private static func findings(for folder: String) -> [Finding] {
    guard let size = SystemProbe.size(of: "\(folder)/\(JournalFile.name)"), size <= most,
      let differences = try? JournalFile.verify(folder), let first = differences.first
    else { return [] }
    let more = differences.count > 1 ? " There are \(differences.count - 1) more." : ""
    return [
      .fault(
        "journal", "The journal in \(folder) is inconsistent: \(first)\(more)",
        mend: "tally verify \(Remedy.word(folder))",
        hint: "lists all differences; restore a backup in which there are none")
    ]
  }
}
