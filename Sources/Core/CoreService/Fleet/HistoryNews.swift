import Fleet
import Journal

/// A writer whose history at another station is longer than here, or different.
struct MissingHistory {
  let station: String
  let counter: CounterID
  let writer: WriterID
  /// The digest at the other station.
  let digest: HistoryDigest
  /// The mark here.
  let mark: HistoryMark
}

/// The history by quarter hours for the next report. In memory only: after a restart the stations compare their
/// histories again.
struct HistoryNews {
  typealias Author = HistoryChanges.Author

  /// The writers whose digests go into the next report: the writers of whom this station has learned more since the
  /// last report, or of whom another station knows less. An equal digest in another station's report removes the
  /// writer.
  var changed: Set<Author> = []
  /// The marks of own writers that other stations have reported.
  private(set) var confirmed: [Author: HistoryMark] = [:]
  /// Whether the history of a newly shared counter is not committed yet.
  var isBeginning = false

  /// Records that another station knows an own writer up to a mark.
  mutating func confirm(_ mark: HistoryMark, of author: Author) {
    confirmed[author] = max(confirmed[author] ?? .none, mark)
  }
}
