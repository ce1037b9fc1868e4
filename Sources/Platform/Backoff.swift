/// How long to wait before the next try: at first shortly, then twice as long each time.
public struct Backoff: Equatable, Sendable {
  private let shortest: Int64
  private let longest: Int64
  private var wait: Int64

  /// - Parameters:
  ///   - shortest: the first wait, in nanoseconds.
  ///   - longest: the longest one, in nanoseconds.
  public init(shortest: Int64 = 50_000_000, longest: Int64 = 2_000_000_000) {
    self.shortest = shortest
    self.longest = longest
    wait = shortest
  }

  /// The wait before the next try, in nanoseconds.
  public mutating func next() -> Int64 {
    defer { wait = min(wait * 2, longest) }
    return wait
  }

  /// It worked; the next failure waits shortly.
  public mutating func reset() { wait = shortest }
}
