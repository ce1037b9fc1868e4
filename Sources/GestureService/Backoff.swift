/// How long to wait before the next try: 50 ms, doubled each time, at most 2 s or what is said.
package struct Backoff: Equatable {
  private static let shortest: Int64 = 50_000_000
  private let longest: Int64
  private var wait = shortest

  /// - Parameter longest: in nanoseconds.
  package init(longest: Int64 = 2_000_000_000) { self.longest = longest }

  /// The wait before the next try, in nanoseconds.
  package mutating func next() -> Int64 {
    defer { wait = min(wait * 2, longest) }
    return wait
  }

  /// It worked; the next failure waits shortly.
  package mutating func reset() { wait = Self.shortest }
}
