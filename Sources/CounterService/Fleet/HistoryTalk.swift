import CounterStore
import Fleet

/// Remembers recent messages about the history by quarter hours: which were sent, asked for and answered, and what is
/// missing here. In memory only: after a restart the stations compare their histories again.
struct HistoryTalk {
  typealias Author = HistoryChanges.Author

  /// The writers to report: more is known of them here since the last report, or less elsewhere. A report of another
  /// station with the same digest removes the writer.
  var changed: Set<Author> = []
  /// The marks of own writers that other stations have reported.
  private(set) var confirmed: [Author: HistoryMark] = [:]
  /// Whether the next report compares the histories of all writers, because this station has connected.
  var isTellingAll = false
  /// Whether the history of a counter that was shared just now is not committed yet.
  var isBeginning = false
  /// The time within which nothing is asked again, nor the same answered again, in nanoseconds.
  var patience = usualPatience
  private static let usualPatience: Int64 = 5_000_000_000

  /// When each writer was asked for, in nanoseconds of the time since the boot.
  private var asked: [Author: Int64] = [:]
  private var answered: [Author: (after: HistoryMark, time: Int64)] = [:]
  /// The histories that other stations know and this one did not when they said so.
  private var missing: [Author: Missing] = [:]
  /// The wait before a question, in nanoseconds: most counts that a report mentions arrive by themselves.
  private static let usualDelay: Int64 = 2_000_000_000
  /// When to look for those that are due.
  private var earliest: Int64 = .max
  /// The writers of whom something is missing, and those that are looked up in a second.
  private static let (mostMissing, mostQuestions) = (32_768, 1_000)
  private static let second: Int64 = 1_000_000_000
  private var delay: Int64 { min(Self.usualDelay, patience) }

  /// The history of a writer that another station knows.
  private struct Missing {
    var holder: String
    var digest: HistoryDigest
    /// The mark here when the wait began.
    let mark: HistoryMark
    /// Whether both had the same last register then, so that an earlier one is missing.
    let hasGap: Bool
    /// In nanoseconds of the time since the boot.
    let due: Int64
  }

  /// Whether anything is to be asked for.
  var isWaiting: Bool { !missing.isEmpty }

  /// Another station knows an own writer up to a mark.
  mutating func confirm(_ mark: HistoryMark, of author: Author) {
    confirmed[author] = max(confirmed[author] ?? .none, mark)
  }

  /// Another station knows more of a writer, or something else, than this one, which knows it up to a mark.
  mutating func miss(
    _ digest: HistoryDigest, beyond mark: HistoryMark, of author: Author, at holder: String, now: Int64
  ) {
    if var entry = missing[author] {
      guard entry.digest.mark <= digest.mark else { return }
      (entry.holder, entry.digest) = (holder, digest)
      missing[author] = entry
    } else if missing.count < Self.mostMissing {
      missing[author] = Missing(
        holder: holder, digest: digest, mark: mark, hasGap: digest.mark == mark, due: now &+ delay)
      earliest = min(earliest, now &+ delay)
    }
  }

  /// The questions that are due: the writers whose counts have not come meanwhile, and the stations to ask.
  ///
  /// - Parameter known: what is known here of a writer; `nil` if nothing can be learned of it.
  mutating func questions(
    at now: Int64, known: (Author) -> HistoryDigest?
  ) -> [(author: Author, after: HistoryMark, holder: String)] {
    guard earliest <= now else { return [] }
    var questions: [(author: Author, after: HistoryMark, holder: String)] = []
    // The others are due the next time.
    for (author, entry) in missing.lazy.filter({ $0.value.due <= now }).prefix(Self.mostQuestions) {
      guard let mine = known(author), mine != entry.digest, entry.hasGap || mine.mark <= entry.digest.mark else {
        missing[author] = nil
        continue
      }
      // Counts of the writer arrive; those of the last report may be on their way.
      if entry.mark < mine.mark, !entry.hasGap, delay > 0 {
        missing[author] = Missing(
          holder: entry.holder, digest: entry.digest, mark: mine.mark, hasGap: false, due: now &+ delay)
      } else if ask(author, at: now) {
        missing[author] = nil
        // With the same last register, any earlier one may be missing.
        let isWhole = entry.hasGap || mine.mark == entry.digest.mark
        questions.append((author, isWhole ? .none : mine.mark, entry.holder))
      }
    }
    earliest = missing.values.lazy.map(\.due).min().map { max($0, now &+ min(delay, Self.second)) } ?? .max
    return questions
  }

  /// Whether another station may be asked now.
  private mutating func ask(_ author: Author, at now: Int64) -> Bool {
    if let time = asked[author], now &- time < patience { return false }
    if asked.count >= Knowledge.maximumRows { asked.removeAll() }
    asked[author] = now
    return true
  }

  /// Whether this station waits for an answer, of which a part has come. Then it asks for the rest at once.
  mutating func askForMore(_ author: Author, at now: Int64) -> Bool {
    guard let time = asked[author], now &- time < 12 &* Self.usualPatience else { return false }
    asked[author] = now
    return true
  }

  /// Whether this station answers now. All stations hear an answer, so that one of several that ask gets it for all.
  mutating func answer(_ author: Author, after mark: HistoryMark, at now: Int64) -> Bool {
    if let last = answered[author], last.after == mark, now &- last.time < patience { return false }
    if answered.count >= Knowledge.maximumRows { answered.removeAll() }
    answered[author] = (mark, now)
    return true
  }
}
