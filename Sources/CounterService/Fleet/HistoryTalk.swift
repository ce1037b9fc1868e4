import CounterStore
import Fleet

/// Remembers recent messages about the history by quarter hours: which were sent, asked for and answered. In memory only; a
/// restart loses them, and the stations send them again.
struct HistoryTalk {
  typealias Author = HistoryChanges.Author

  /// Writers of whom more is known here since the last report, or of whom another station has said less; without those
  /// of whom another station has said the same meanwhile.
  var changed: Set<Author> = []
  /// The marks of own writers that other stations have reported.
  private(set) var confirmed: [Author: HistoryMark] = [:]
  /// Whether the history of a counter that was shared just now is not committed yet.
  var isBeginning = false
  /// The time within which nothing is asked again, nor the same answered again, in nanoseconds.
  var patience = usualPatience
  private static let usualPatience: Int64 = 5_000_000_000

  /// When each writer was asked for, in nanoseconds of the time since the boot.
  private var asked: [Author: Int64] = [:]
  private var answered: [Author: (after: HistoryMark, time: Int64)] = [:]

  /// Another station knows an own writer up to a mark.
  mutating func confirm(_ mark: HistoryMark, of author: Author) {
    confirmed[author] = max(confirmed[author] ?? .none, mark)
  }

  /// Whether another station may be asked now.
  mutating func ask(_ author: Author, at now: Int64) -> Bool {
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
