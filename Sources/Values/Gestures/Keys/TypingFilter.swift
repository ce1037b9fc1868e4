/// Separates keys that a hand presses from those that a machine types: some pedals and tokens type a text, such as
/// their maker's address, when they are held for some seconds.
///
/// A hand needs 24 ms for the shortest press that was measured, and two fingers take turns at most 20 times a second. A
/// machine types a key, releases it and types the next one within a few milliseconds. A press of another key that
/// follows so soon waits for more of them. At the third key they are a text, which does not count to its end; otherwise
/// all edges pass, with unchanged times.
struct TypingFilter: Sendable {
  struct Edge: Equatable, Sendable {
    let key: Gesture.PressedKey
    let isDown: Bool
    let time: Int64
    /// The number of the report with the press.
    let report: Int
  }

  private struct Press: Equatable, Sendable {
    let code: UInt16
    let time: Int64
    let report: Int
    var release: Int64?
  }

  private var last: Press?
  /// The keys that were typed one after the other.
  private var keys: Set<UInt16> = []
  private var held: [Edge] = []
  /// The number of dropped presses of the present text; 0 outside of a text.
  private var dropped = 0
  private var typed = 0
  /// The keys whose releases belong to dropped presses.
  private var droppedKeys: Set<UInt16> = []
  /// The keys that are down, with the times of their presses.
  private var down: [UInt16: Int64] = [:]
  /// The key that was held for long, and the time until which another key may be the beginning of a text.
  private var suspicion: (key: UInt16, end: Int64)?
  /// The time at which a text is over, or the held edges pass; nil while nothing waits.
  private(set) var deadline: Int64?

  /// The maximum number of edges that wait.
  private static let most = 64
  /// The longest time from one press to the next one of a text.
  private static let interval: Int64 = 35_000_000
  /// The longest time for which a machine holds a key that it types.
  private static let stroke: Int64 = 20_000_000
  /// The shortest time for which a device is held to type its text, in nanoseconds.
  private static let long: Int64 = 1_000_000_000
  /// The longest time from the end of a hold to the text, in nanoseconds.
  private static let soon: Int64 = 500_000_000
  /// The smallest number of different keys of a text; a knob that is turned back and forth has two.
  private static let variety = 3

  /// Filters an edge, and returns those that pass, oldest first.
  ///
  /// - Parameters:
  ///   - releases: the keys that the edge's report releases.
  mutating func take(_ edge: Edge, releases: Set<UInt16>) -> [Edge] {
    edge.isDown ? press(edge, releases) : release(edge)
  }

  private mutating func press(_ edge: Edge, _ releases: Set<UInt16>) -> [Edge] {
    let code = edge.key.code
    let isNext = held.count < Self.most && follows(edge, releases)
    let passing = isNext ? [] : end()
    if let last, isNext { keys.formUnion([last.code, code]) } else { keys = [code] }
    last = Press(code: code, time: edge.time, report: edge.report)
    if keys.count >= Self.variety || dropped > 0 {
      for early in held where early.isDown {
        dropped += 1
        droppedKeys.insert(early.key.code)
      }
      for early in held where !early.isDown { droppedKeys.remove(early.key.code) }
      held = []
      dropped += 1
      droppedKeys.insert(code)
    } else if keys.count > 1 || mayBegin(edge) {
      held.append(edge)
    } else {
      down[code] = edge.time
      return passing + [edge]
    }
    deadline = edge.time.later(by: Self.interval)
    return passing
  }

  private mutating func release(_ edge: Edge) -> [Edge] {
    let code = edge.key.code
    if last?.code == code { last?.release = edge.time }
    if droppedKeys.remove(code) != nil { return [] }
    if held.contains(where: { $0.key.code == code }) {
      held.append(edge)
      return []
    }
    if let since = down.removeValue(forKey: code), edge.time.elapsed(since: since) ?? 0 >= Self.long {
      suspicion = (code, edge.time.later(by: Self.soon))
    }
    return [edge]
  }

  /// Whether a press may be the first of a text, because another key was held for long.
  private func mayBegin(_ edge: Edge) -> Bool {
    if let suspicion, suspicion.key != edge.key.code, edge.time < suspicion.end { return true }
    return down.contains { $0.key != edge.key.code && edge.time.elapsed(since: $0.value) ?? 0 >= Self.long }
  }

  /// Whether a press follows another one as in a text. Presses within one report are not typed.
  private func follows(_ edge: Edge, _ releases: Set<UInt16>) -> Bool {
    let time = edge.time
    guard let last, last.report != edge.report, time.elapsed(since: last.time) ?? .max <= Self.interval else {
      return false
    }
    guard let release = last.release ?? (releases.contains(last.code) ? time : nil) else { return false }
    return release.elapsed(since: last.time) ?? .max <= Self.stroke
  }

  /// Returns the edges whose wait ends at `time`.
  mutating func advance(to time: Int64) -> [Edge] {
    guard let due = deadline, due <= time else { return [] }
    return end()
  }

  /// The dropped presses of the texts that have ended since the last call.
  mutating func takeTyped() -> Int {
    defer { typed = 0 }
    return typed
  }

  /// Ends the text or the wait, and returns the waiting edges, which pass.
  mutating func end() -> [Edge] {
    typed += dropped
    defer {
      held = []
      keys = []
      dropped = 0
      deadline = nil
      last = nil
    }
    for edge in held { down[edge.key.code] = edge.isDown ? edge.time : nil }
    return held
  }

  /// Forgets the keys that are down.
  mutating func clear() {
    suspicion = nil
    down = [:]
    droppedKeys = []
  }
}
