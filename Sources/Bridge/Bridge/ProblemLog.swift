/// The sentences that were logged. Each is logged once while it lasts; if several states alternate, the one that lasts
/// is logged at the end.
public struct ProblemLog: Equatable, Sendable {
  /// Sentences about messages and commands, and sentences that quote strangers.
  private var (notes, quotes): (Set<String>, Set<String>) = ([], [])
  /// The time of the first sentence in ``notes`` or ``quotes``, in nanoseconds.
  private var since: Int64 = 0
  /// States that were logged.
  private var said: Set<String> = []
  /// The sentence about the connections: their troubles, or that there are none; `nil` without a sentence.
  private var state: String?
  /// Whether the connections have no troubles.
  private var isWell = false
  /// The time of the last change of ``state``, in nanoseconds.
  private var changed: Int64 = 0
  /// The state that was logged last.
  private var logged: String?

  /// The maximum number of sentences within ``pause``, separately for sentences that quote strangers.
  static let capacity = 64
  /// The time after which a sentence is logged again, in nanoseconds.
  static let pause: Int64 = 600_000_000_000
  /// The time after which a repeated state is logged again if it lasts, in nanoseconds. A connection of this length
  /// clears the memory of logged sentences.
  public static let patience: Int64 = 10_000_000_000

  public init() {}

  /// Whether to log the sentence.
  public mutating func isNew(_ sentence: String, isQuote: Bool = false, now: Int64) -> Bool {
    if now - since > Self.pause { (notes, quotes) = ([], []) }
    if notes.isEmpty, quotes.isEmpty { since = now }
    if isQuote { return quotes.count < Self.capacity && quotes.insert(sentence).inserted }
    return notes.count < Self.capacity && notes.insert(sentence).inserted
  }

  /// Sets the state; returns the sentence to log, if any.
  ///
  /// - Parameter news: the new part of the state, if not all of it is new.
  public mutating func set(_ sentence: String?, news: String? = nil, isWell: Bool, now: Int64) -> String? {
    guard sentence != state else { return nil }
    if self.isWell, now - changed > Self.patience { (said, notes, quotes) = ([], [], []) }
    if said.count >= Self.capacity || now - changed > Self.pause { said = [] }
    (state, self.isWell, changed) = (sentence, isWell, now)
    guard let sentence, sentence != logged, isWell || said.insert(news ?? sentence).inserted else { return nil }
    logged = sentence
    return news ?? sentence
  }

  /// The time at which ``lastingState(now:)`` has a state to log, unless the state changes before.
  public var dueTime: Int64? { state == nil || state == logged ? nil : changed + Self.patience }

  /// Returns the state if it has lasted and differs from the last logged one.
  public mutating func lastingState(now: Int64) -> String? {
    guard let dueTime, now >= dueTime else { return nil }
    logged = state
    return state
  }
}
