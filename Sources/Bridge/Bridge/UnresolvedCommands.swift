/// Commands that name a counter which is not known here. They wait for the core's list of counters; only one question
/// is open at a time.
public struct UnresolvedCommands: Equatable, Sendable {
  /// The maximum number of waiting commands.
  static let capacity = 64

  /// `asked` are the commands that came before the open question, `waiting` the commands that came after it.
  private var (asked, waiting): ([Command], [Command]) = ([], [])

  public init() {}

  /// Records a command; returns `false` if too many wait.
  public mutating func put(_ command: Command) -> Bool {
    guard asked.count + waiting.count < Self.capacity else { return false }
    waiting.append(command)
    return true
  }

  /// Whether to ask the core now.
  public mutating func ask() -> Bool {
    guard asked.isEmpty, !waiting.isEmpty else { return false }
    (asked, waiting) = (waiting, [])
    return true
  }

  /// Makes the commands wait for another question, because the connection of the first one is gone.
  public mutating func forgetQuestion() { (asked, waiting) = ([], asked + waiting) }

  /// Returns the commands to which the core's reply belongs.
  public mutating func answer() -> [Command] {
    defer { asked = [] }
    return asked
  }
}
