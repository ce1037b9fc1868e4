import CountersAPI
import Counting
import Fleet
import Varlink

/// The questions to other stations that wait for an answer, and the pace of answers to theirs. In memory only.
struct StationQuestions {
  typealias Handler = (Result<EncodedObject, any Error>) -> Void

  struct Open {
    let question: StationQuestion
    /// The ID of the calling user.
    let user: UInt32
    /// The counter here.
    let counter: Counter.ID
    /// In nanoseconds of the time since the boot.
    let began: Int64
    /// When the question was published last.
    var published: Int64
    let then: Handler
  }

  private(set) var open: [String: Open] = [:]

  /// The maximum number of open questions, of all users and of one.
  static let most = 64
  static let mostOfUser = 8
  /// The time after which a question has no answer, in nanoseconds.
  static let patience: Int64 = 10_000_000_000
  /// The time after which it is published again, because messages may be lost.
  static let repetition: Int64 = 2_500_000_000

  // MARK: Asking

  /// Adds a question, unless too many are open.
  mutating func add(_ one: Open) -> Bool {
    guard open.count < Self.most, open.values.count(where: { $0.user == one.user }) < Self.mostOfUser else {
      return false
    }
    open[one.question.token] = one
    return true
  }

  /// Takes the question of an answer; `nil` for an answer that this station did not ask that one for.
  mutating func take(_ answer: StationAnswer, from name: String) -> Open? {
    guard let one = open[answer.token], one.question.station == name, one.question.counter == answer.counter else {
      return nil
    }
    return open.removeValue(forKey: answer.token)
  }

  mutating func remove(_ token: String) { open[token] = nil }

  mutating func removeAll() -> [Open] {
    defer { open = [:] }
    return Array(open.values)
  }

  /// Takes the questions whose time is over, and returns those that are to be published again.
  mutating func advance(to now: Int64) -> (repeated: [StationQuestion], expired: [Open]) {
    var (repeated, expired): ([StationQuestion], [Open]) = ([], [])
    for (token, one) in open {
      if now &- one.began >= Self.patience {
        expired.append(one)
        open[token] = nil
      } else if now &- one.published >= Self.repetition {
        repeated.append(one.question)
        open[token]?.published = now
      }
    }
    return (repeated, expired)
  }

  /// When ``advance(to:)`` has something to do next.
  var due: Int64? {
    open.values.map { min($0.began &+ Self.patience, $0.published &+ Self.repetition) }.min()
  }

  // MARK: Answering

  /// The number of answers that are being read from the journal.
  var reading = 0
  private var tokens = Self.burst
  private var refilled: Int64 = 0

  /// The maximum of ``reading``.
  private static let mostReading = 4
  /// The number of answers at once, and the time in nanoseconds after which one more may follow. All stations of the fleet
  /// receive each.
  static let burst: Int64 = 30
  static let interval: Int64 = 100_000_000

  /// Whether a question is answered now. One that is not will be asked again.
  mutating func mayAnswer(at now: Int64) -> Bool {
    let earned = max(0, now &- refilled) / Self.interval
    if tokens &+ min(earned, Self.burst) >= Self.burst {
      (tokens, refilled) = (Self.burst, now)
    } else {
      (tokens, refilled) = (tokens + earned, refilled &+ earned * Self.interval)
    }
    guard tokens > 0, reading < Self.mostReading else { return false }
    tokens -= 1
    return true
  }
}
