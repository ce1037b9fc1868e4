import Fleet
import Journal

/// Remembers recent questions and replies about the history by quarter hours, and the history that is missing here. In
/// memory only: after a restart the stations compare their histories again.
struct HistorySync {
  typealias Author = HistoryChanges.Author

  /// The writers whose digests go into the next report: those with more known here since the last report, or less known
  /// elsewhere. An equal digest in another station's report removes the writer.
  var changed: Set<Author> = []
  /// The marks of own writers that other stations have reported.
  private(set) var confirmed: [Author: HistoryMark] = [:]
  /// Whether the next report compares the histories of all writers, because this station has connected.
  var isTellingAll = false
  /// Whether the history of a newly shared counter is not committed yet.
  var isBeginning = false
  /// The time within which a question or a reply is not repeated, in nanoseconds.
  var patience = usualPatience
  private static let usualPatience: Int64 = 5_000_000_000
  /// The maximum number of repeated questions for the same history; the last is after ten minutes.
  var mostTries = 8
  /// The maximum number of stations remembered per writer.
  private static let mostHolders = 8

  /// The time of the last question about each writer, in nanoseconds since the boot.
  private var asked: [Author: Int64] = [:]
  private var answered: [Author: (after: HistoryMark, time: Int64)] = [:]
  /// The histories that other stations know and that were missing here at the time of their report.
  private var missing: [Author: Missing] = [:]
  /// The wait before a question, in nanoseconds: most counts in a report arrive without a question.
  private static let usualDelay: Int64 = 2_000_000_000
  /// The earliest time at which a missing history is due.
  private var earliest: Int64 = .max
  /// The maximum numbers of writers with a missing history, and of questions in a second.
  private static let (mostMissing, mostQuestions) = (32_768, 1_000)
  private static let second: Int64 = 1_000_000_000
  private var delay: Int64 { min(Self.usualDelay, patience) }

  /// The history of a writer that other stations know.
  private struct Missing {
    /// The stations that have reported the history, the next one to ask last.
    var holders: [String]
    /// The digest with the highest mark that the holders reported.
    var digest: HistoryDigest
    /// This station's mark when the wait began.
    var mark: HistoryMark
    /// Whether the last registers were equal when the wait began, so that an earlier one is missing.
    let hasGap: Bool
    /// The time of the next question, in nanoseconds since the boot.
    var due: Int64
    /// The number of questions since the last progress.
    var tries = 0

    mutating func add(_ holder: String, _ digest: HistoryDigest, due time: Int64) {
      due = min(due, time)
      holders.removeAll { $0 == holder }
      holders = holders.suffix(HistorySync.mostHolders - 1) + [holder]
      if self.digest.mark <= digest.mark { self.digest = digest }
    }

    /// Returns the station to ask now, and moves it to the end.
    mutating func next() -> String {
      let holder = holders.removeLast()
      holders.insert(holder, at: 0)
      return holder
    }
  }

  var isWaiting: Bool { !missing.isEmpty }

  /// Records that another station knows an own writer up to a mark.
  mutating func confirm(_ mark: HistoryMark, of author: Author) {
    confirmed[author] = max(confirmed[author] ?? .none, mark)
  }

  /// Records that another station knows more of a writer than this one (up to `mark`), or something else.
  mutating func miss(
    _ digest: HistoryDigest, beyond mark: HistoryMark, of author: Author, at holder: String, now: Int64
  ) {
    let due = now &+ delay
    if missing[author] != nil {
      missing[author]?.add(holder, digest, due: due)
    } else if missing.count < Self.mostMissing {
      missing[author] = Missing(
        holders: [holder], digest: digest, mark: mark, hasGap: digest.mark == mark, due: due)
    }
    earliest = min(earliest, due)
  }

  /// The questions that are due: writers whose counts have not arrived, and the stations to ask. As messages get lost
  /// and stations leave, questions are repeated at growing intervals at other stations.
  ///
  /// - Parameter known: the digest known here of a writer; `nil` if its history cannot be merged.
  mutating func questions(
    at now: Int64, known: (Author) -> HistoryDigest?
  ) -> [(author: Author, after: HistoryMark, holder: String)] {
    guard earliest <= now else { return [] }
    var questions: [(author: Author, after: HistoryMark, holder: String)] = []
    // The others are due the next time.
    for (author, entry) in missing.lazy.filter({ $0.value.due <= now }).prefix(Self.mostQuestions) {
      var entry = entry
      guard let mine = known(author), mine != entry.digest, entry.hasGap || mine.mark <= entry.digest.mark else {
        missing[author] = nil
        continue
      }
      if entry.mark < mine.mark, !entry.hasGap, delay > 0 {
        // Counts of the writer arrive; those of the last report may still be on their way.
        (entry.mark, entry.tries, entry.due) = (mine.mark, 0, now &+ delay)
      } else if ask(author, at: now) {
        // If the last registers are equal, any earlier one may be missing.
        let isWhole = entry.hasGap || mine.mark == entry.digest.mark
        questions.append((author, isWhole ? .none : mine.mark, entry.next()))
        entry.due = now &+ patience << Int64(entry.tries)
        entry.tries += 1
      }
      // While the writer counts, a closed gap cannot be distinguished from an open one.
      missing[author] = entry.tries < (entry.hasGap ? min(mostTries, 2) : mostTries) ? entry : nil
    }
    earliest = missing.values.lazy.map(\.due).min().map { max($0, now &+ min(delay, Self.second)) } ?? .max
    return questions
  }

  /// Whether a question about a writer is allowed now.
  private mutating func ask(_ author: Author, at now: Int64) -> Bool {
    if let time = asked[author], now &- time < patience { return false }
    if asked.count >= ReplicaStore.maximumRows { asked.removeAll() }
    asked[author] = now
    return true
  }

  /// Whether this station waits for a reply of which a part has arrived. Then the rest is asked for at once.
  mutating func askForMore(_ author: Author, at now: Int64) -> Bool {
    guard let time = asked[author], now &- time < 12 &* Self.usualPatience else { return false }
    asked[author] = now
    return true
  }

  /// Whether this station replies now. All stations receive a reply, so one reply serves all that ask.
  mutating func answer(_ author: Author, after mark: HistoryMark, at now: Int64) -> Bool {
    if let last = answered[author], last.after == mark, now &- last.time < patience { return false }
    if answered.count >= ReplicaStore.maximumRows { answered.removeAll() }
    answered[author] = (mark, now)
    return true
  }
}
