/// Separates keys that a hand presses from those that a machine types: some pedals and tokens type a text, such as
/// their manufacturer's address, when they are held for some seconds.
///
/// A hand needs 24 ms for the shortest press that was measured, and two fingers take turns at most 20 times a second. A
/// machine types a key, releases it and types the next one within a few milliseconds. A press of another key that
/// follows so soon is held back. With a third key the presses are a text, and the rest of the text does not count. Two
/// keys are a text if both strokes are complete and shorter than a hand's. Otherwise all edges pass, with unchanged
/// times.
///
/// The first bound key of a text counts at once: a scanner may end each code with a bound Enter. In a text that follows
/// a long hold no key counts.
struct TypingFilter: Sendable {
  struct Edge: Equatable, Sendable {
    let key: Gesture.PressedKey
    let isDown: Bool
    let time: Int64
    /// The number of the report with the press.
    let report: Int
    /// The number of the first binding that includes the key; nil if none does.
    let binding: Int?
  }

  private struct Press: Equatable, Sendable {
    let edge: Edge
    var release: Int64?
  }

  private var last: Press?
  /// The different keys of the present sequence.
  private var keys: Set<UInt16> = []
  /// Whether the presses of ``keys`` are as close together as in a text of two keys.
  private var isQuick = false
  /// Whether a bound key of the sequence has passed, or no key may pass.
  private var hasCounted = false
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

  /// Whether the device's link may deliver real presses late and close together, as Bluetooth does.
  private let isDelayed: Bool

  /// The maximum number of edges that wait.
  private static let most = 64
  /// The longest time from one press to the next one of a text.
  private static let interval: Int64 = 35_000_000
  /// The longest time for which a machine holds a key that it types.
  private static let stroke: Int64 = 20_000_000
  /// The longest time from one press to the next one of a text of two keys, in nanoseconds.
  private static let shortInterval: Int64 = 20_000_000
  /// The shortest hold after which a device types its text, in nanoseconds.
  private static let long: Int64 = 1_000_000_000
  /// The longest time from the end of a hold to the text, in nanoseconds.
  private static let soon: Int64 = 500_000_000
  /// The number of different keys that make a text, however long the last one is held.
  private static let variety = 3

  init(isDelayed: Bool) { self.isDelayed = isDelayed }

  /// Filters an edge. Returns all edges that pass now, oldest first.
  ///
  /// - Parameters:
  ///   - releases: the keys that the edge's report releases.
  mutating func take(_ edge: Edge, releases: Set<UInt16>) -> [Edge] {
    edge.isDown ? press(edge, releases) : release(edge)
  }

  private mutating func press(_ edge: Edge, _ releases: Set<UInt16>) -> [Edge] {
    let code = edge.key.code
    let isNext = held.count < Self.most && follows(edge, releases)
    var passing = isNext ? [] : end()
    if let last = last?.edge, isNext {
      keys.insert(code)
      let interval = edge.time.elapsed(since: last.time) ?? .max
      isQuick = isQuick && last.binding == edge.binding && interval <= Self.shortInterval
    } else {
      keys = [code]
      isQuick = !isDelayed
      hasCounted = mayBegin(edge)
    }
    last = Press(edge: edge)
    let isText = keys.count >= Self.variety || dropped > 0
    if isText { dropHeld() }
    let isFirstBound = edge.binding != nil && !hasCounted
    if isFirstBound || keys.count == 1 && !mayBegin(edge) {
      hasCounted = hasCounted || isFirstBound
      down[code] = edge.time
      passing.append(edge)
    } else if isText {
      drop(edge)
    } else {
      held.append(edge)
    }
    if dropped > 0 || !held.isEmpty { deadline = edge.time.later(by: Self.interval) }
    return passing
  }

  private mutating func drop(_ edge: Edge) {
    dropped += 1
    droppedKeys.insert(edge.key.code)
  }

  private mutating func dropHeld() {
    for edge in held where edge.isDown { drop(edge) }
    for edge in held where !edge.isDown { droppedKeys.remove(edge.key.code) }
    held = []
  }

  private mutating func release(_ edge: Edge) -> [Edge] {
    let code = edge.key.code
    if last?.edge.key.code == code { last?.release = edge.time }
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

  /// Whether a press follows the last one as in a text. Presses within one report are not typed.
  private func follows(_ edge: Edge, _ releases: Set<UInt16>) -> Bool {
    let time = edge.time
    guard let last, last.edge.report != edge.report, time.elapsed(since: last.edge.time) ?? .max <= Self.interval else {
      return false
    }
    return isStroke(last, until: releases.contains(last.edge.key.code) ? time : nil)
  }

  /// Whether the key was released faster than a hand releases.
  private func isStroke(_ press: Press, until end: Int64? = nil) -> Bool {
    guard let release = press.release ?? end else { return false }
    return release.elapsed(since: press.edge.time) ?? .max <= Self.stroke
  }

  /// Whether the waiting edges are a text of two keys. A knob that is turned back and forth also sends two keys.
  private var isTextOfTwo: Bool {
    keys.count == 2 && isQuick && !KeyCode.areOpposite(keys) && last.map { isStroke($0) } ?? false
  }

  /// Returns the edges whose wait ends at `time`.
  mutating func advance(to time: Int64) -> [Edge] {
    guard let due = deadline, due <= time else { return [] }
    return end()
  }

  /// Returns the number of dropped presses of the texts that have ended since the last call.
  mutating func takeTyped() -> Int {
    defer { typed = 0 }
    return typed
  }

  /// Ends the text or the wait. Returns the waiting edges, which pass the filter.
  mutating func end() -> [Edge] {
    if isTextOfTwo { dropHeld() }
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
