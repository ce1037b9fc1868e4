import Fleet
import Journal

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
  /// How often something is asked for that does not come: the last time after ten minutes.
  var mostTries = 8
  /// The stations that are remembered for a writer.
  private static let mostHolders = 8

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

  /// The history of a writer that other stations know.
  private struct Missing {
    /// Those that have said so, the next one to ask last.
    var holders: [String]
    /// What they know at most.
    var digest: HistoryDigest
    /// The mark here when the wait began.
    var mark: HistoryMark
    /// Whether both had the same last register then, so that an earlier one is missing.
    let hasGap: Bool
    /// In nanoseconds of the time since the boot.
    var due: Int64
    /// How often it was asked for since something came.
    var tries = 0

    mutating func add(_ holder: String, _ digest: HistoryDigest, due time: Int64) {
      due = min(due, time)
      holders.removeAll { $0 == holder }
      holders = holders.suffix(HistoryTalk.mostHolders - 1) + [holder]
      if self.digest.mark <= digest.mark { self.digest = digest }
    }

    /// Returns the station to ask now; the next time it is another one.
    mutating func next() -> String {
      let holder = holders.removeLast()
      holders.insert(holder, at: 0)
      return holder
    }
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
    let due = now &+ delay
    if missing[author] != nil {
      missing[author]?.add(holder, digest, due: due)
    } else if missing.count < Self.mostMissing {
      missing[author] = Missing(
        holders: [holder], digest: digest, mark: mark, hasGap: digest.mark == mark, due: due)
    }
    earliest = min(earliest, due)
  }

  /// The questions that are due: the writers whose counts have not come meanwhile, and the stations to ask. A question or
  /// its answer may be lost, and a station may be gone: each is repeated at growing intervals, at another station.
  ///
  /// - Parameter known: what is known here of a writer; `nil` if nothing can be learned of it.
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
        // Counts of the writer arrive; those of the last report may be on their way.
        (entry.mark, entry.tries, entry.due) = (mine.mark, 0, now &+ delay)
      } else if ask(author, at: now) {
        // With the same last register, any earlier one may be missing.
        let isWhole = entry.hasGap || mine.mark == entry.digest.mark
        questions.append((author, isWhole ? .none : mine.mark, entry.next()))
        entry.due = now &+ patience << Int64(entry.tries)
        entry.tries += 1
      }
      // A gap that has been closed while the writer counts on cannot be told from one that is open.
      missing[author] = entry.tries < (entry.hasGap ? min(mostTries, 2) : mostTries) ? entry : nil
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
