/// Exponential backoff: each wait before a retry is twice as long as the previous one, up to a maximum.
public struct Backoff: Equatable, Sendable {
  private let shortest: Int64
  private let longest: Int64
  private var wait: Int64

  /// - Parameters:
  ///   - shortest: the first wait in nanoseconds.
  ///   - longest: the maximum wait in nanoseconds.
  public init(shortest: Int64 = 50_000_000, longest: Int64 = 2_000_000_000) {
    self.shortest = shortest
    self.longest = longest
    wait = shortest
  }

  /// Returns the wait before the next try, in nanoseconds, and doubles the one after it.
  public mutating func next() -> Int64 {
    defer { wait = min(wait * 2, longest) }
    return wait
  }

  /// Starts again with the shortest wait, after a success.
  public mutating func reset() { wait = shortest }
}
