/// How long to wait before the next try: 50 ms, doubled each time, at most 2 s.
struct Backoff: Equatable {
  private static let shortest: Int64 = 50_000_000
  private static let longest: Int64 = 2_000_000_000
  private var wait = shortest

  /// The wait before the next try, in nanoseconds.
  mutating func next() -> Int64 {
    defer { wait = min(wait * 2, Self.longest) }
    return wait
  }

  /// It worked; the next failure waits shortly.
  mutating func reset() { wait = Self.shortest }
}
