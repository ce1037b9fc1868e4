/// Debounces keys: separates the edges that a person made from the bouncing of switches.
///
/// The first edge counts at once. Edges within the bounce time after a counted edge do not count. At the end of that
/// time the state of the key counts, with the stamp of its last edge; a state that began just before the end must last
/// a little longer. The time is measured from the counted edge, so fast real presses pass. Two edges in one report, or
/// with one stamp, are not bouncing: the device sent both on purpose. Strokes at equal intervals (``RegularStrokes``)
/// are not bouncing either: once recognised, all of them count.
///
/// A knob whose pulses are relative keys sends strokes without a length: the kernel adds the release to each report
/// (hid-input.c). No switch closes for so short a time, so the next press is a stroke of its own, however soon.
struct KeyEdges: Sendable {
  /// A debounced edge.
  struct Change: Equatable {
    let key: Gesture.PressedKey
    let isDown: Bool
    let time: Int64
  }

  private struct State {
    /// Whether the key is down according to the last report.
    var isDown = false
    /// The time of the report in which ``isDown`` last changed.
    var time: Int64 = 0
    var scan: UInt32?
    /// Whether the key is down after debouncing.
    var counted = false
    /// The time of the last edge of the debounced state.
    var countedTime: Int64?
    /// The number of the report in which the last edge counted.
    var countedReport = 0
    /// The end of the bounce time, if an uncounted edge waits for it.
    var due: Int64?
    /// Whether the last stroke was counted and had no length.
    var isMomentary = false
    var regular = RegularStrokes()
    /// The uncounted presses since the last pause.
    var uncounted = 0
  }

  private var states: [UInt16: State] = [:]
  /// The number of the report that contains the next edges.
  var report = 0
  /// The keys with an edge that waits for the end of the bounce time.
  private var waiting: [UInt16] = []
  /// The stamp of the latest edge that counted.
  private(set) var latest: Int64?

  /// The first end of a bounce time for which an edge waits; nil for none.
  var deadline: Int64? { waiting.lazy.compactMap { states[$0]?.due }.min() }

  /// The key that bounced, and the number of its presses that were classified as bouncing before its last pause.
  struct Bounced: Equatable {
    let key: UInt16
    let presses: Int
  }

  /// Returns the last bouncing that was found since the previous call.
  mutating func takeBounced() -> Bounced? {
    defer { bounced = nil }
    return bounced
  }

  private var bounced: Bounced?

  /// The number of presses that were classified as bouncing and not yet returned by ``takeBounced()``.
  var bouncing: Int { states.values.reduce(0) { $0 + $1.uncounted - ($1.due != nil && $1.isDown ? 1 : 0) } }

  /// The time without an edge after which a key no longer bounces, in nanoseconds.
  private static let pause: Int64 = 100_000_000

  /// The divisor of the bounce time that gives the shortest time for which a state must last to count at the end of the
  /// bounce time. A state that begins later is the bouncing of a switch.
  private static let partToLast: Int64 = 4

  /// The longest stroke without a length, in nanoseconds: two reports of a USB device are at least 125 µs apart.
  private static let moment: Int64 = 100_000
  /// The shortest time between two strokes without a length, in nanoseconds. Sooner edges are a switch's.
  private static let shortestPause: Int64 = 500_000

  /// Handles a reported edge. Returns the changes that count at once.
  ///
  /// - Parameter bounce: the bounce time in nanoseconds.
  mutating func take(_ key: Gesture.PressedKey, isDown: Bool, at time: Int64, bounce: Int64) -> [Change] {
    guard states[key.code]?.isDown ?? false != isDown else { return [] }
    var state = states[key.code] ?? State()
    defer { states[key.code] = state }
    var changes: [Change] = []
    if isDown {
      if state.isMomentary, time.elapsed(since: state.time) ?? 0 >= Self.shortestPause {
        if state.counted { changes.append(count(&state, key.code)) }
        state.countedTime = nil
      }
      if state.uncounted > 0, time.elapsed(since: state.time) ?? .max >= Self.pause {
        bounced = Bounced(key: key.code, presses: state.uncounted)
        state.uncounted = 0
      }
      state.uncounted += 1
      state.scan = key.scan
      state.regular.press(at: time, bounce: bounce)
    } else {
      state.regular.release(at: time)
      state.isMomentary = state.counted && time.elapsed(since: state.time) ?? .max <= Self.moment
    }
    state.isDown = isDown
    state.time = time
    waiting.removeAll { $0 == key.code }
    state.due = nil
    if bounce > 0, state.regular.areRegular { return changes + catchUp(&state, key.code) }
    guard state.isDown != state.counted else { return changes }
    if bounce > 0, let countedTime = state.countedTime, state.countedReport != report,
      let pause = time.elapsed(since: countedTime), 0 < pause, pause < bounce
    {
      state.due = max(countedTime.later(by: bounce), time.later(by: bounce / Self.partToLast))
      waiting.append(key.code)
      return changes
    }
    return changes + [count(&state, key.code)]
  }

  /// Counts the uncounted strokes of a sequence that turned out to be regular, up to the present state.
  private mutating func catchUp(_ state: inout State, _ code: UInt16) -> [Change] {
    let (isDown, time) = (state.isDown, state.time)
    var changes: [Change] = []
    func change(_ isDown: Bool, _ time: Int64) {
      (state.isDown, state.time) = (isDown, time)
      changes.append(count(&state, code))
    }
    let strokes = state.regular.strokes
    for (index, stroke) in strokes.enumerated() where !stroke.isCounted {
      if state.counted { change(false, index > 0 ? strokes[index - 1].release ?? stroke.press : stroke.press) }
      change(true, stroke.press)
      // `count` above marks only the last stroke.
      state.regular.count(index)
      if index < strokes.count - 1, let release = stroke.release { change(false, release) }
    }
    if state.counted != isDown { change(isDown, time) }
    (state.isDown, state.time) = (isDown, time)
    return changes
  }

  /// Returns the changes whose bounce time is over by `time`.
  mutating func advance(to time: Int64) -> [Change] {
    guard !waiting.isEmpty else { return [] }
    var changes: [Change] = []
    for code in waiting {
      guard var state = states[code], let due = state.due, due <= time else { continue }
      changes.append(count(&state, code))
      states[code] = state
    }
    waiting.removeAll { states[$0]?.due == nil }
    return changes
  }

  /// Sets the state of a key after a resynchronisation, without an edge.
  mutating func set(_ code: UInt16, isDown: Bool) {
    // The key may still bounce after the last counted edge if its state has not changed.
    if let state = states[code], state.due == nil, state.isDown == isDown, state.counted == isDown { return }
    waiting.removeAll { $0 == code }
    states[code] = State(isDown: isDown, counted: isDown)
  }

  mutating func clear() {
    states.removeAll()
    waiting.removeAll()
  }

  private mutating func count(_ state: inout State, _ code: UInt16) -> Change {
    state.counted = state.isDown
    if state.isDown {
      state.uncounted -= 1
      state.regular.count()
    }
    state.countedTime = state.time
    state.countedReport = report
    state.due = nil
    latest = max(latest ?? .min, state.time)
    return Change(key: .init(code: code, scan: state.scan), isDown: state.isDown, time: state.time)
  }
}
