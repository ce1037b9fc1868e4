/// Tells the edges of keys that a person made from the bouncing of their switches.
///
/// The first edge counts at once. What follows within the bounce time of an edge that counted does not; how the key
/// then stands at the end of that time counts, with the stamp at which it came to stand so. Measured from the edge that
/// counted, never from one that did not, fast real presses pass.
struct KeyEdges: Sendable {
  /// A key changed: a person pressed it or let it go.
  struct Change: Equatable {
    let key: Gesture.PressedKey
    let isDown: Bool
    let time: Int64
  }

  private struct State {
    /// How the key stands, and since when.
    var isDown = false
    var time: Int64 = 0
    var scan: UInt32?
    /// How it stands as far as edges counted, and since when.
    var counted = false
    var countedTime: Int64?
    /// When its bounce time is over, while something waits for that.
    var due: Int64?
  }

  private var states: [UInt16: State] = [:]
  /// The keys of which something waits.
  private var waiting: [UInt16] = []
  /// The stamp of the latest edge that counted.
  private(set) var latest: Int64?

  /// When something is due if nothing happens before.
  var deadline: Int64? { waiting.lazy.compactMap { states[$0]?.due }.min() }

  /// A key is said to stand like this. Returns the change if it counts at once.
  ///
  /// - Parameter bounce: how long the key may bounce.
  mutating func take(_ key: Gesture.PressedKey, isDown: Bool, at time: Int64, bounce: Int64) -> Change? {
    guard states[key.code]?.isDown ?? false != isDown else { return nil }
    var state = states[key.code] ?? State()
    defer { states[key.code] = state }
    state.isDown = isDown
    state.time = time
    if isDown { state.scan = key.scan }
    waiting.removeAll { $0 == key.code }
    state.due = nil
    guard state.isDown != state.counted else { return nil }
    if bounce > 0, let countedTime = state.countedTime, let pause = time.elapsed(since: countedTime), pause < bounce {
      state.due = countedTime.later(by: bounce)
      waiting.append(key.code)
      return nil
    }
    return count(&state, key.code)
  }

  /// Gives what counts because the bounce time is over by `time`.
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

  /// A key stands like this, and nobody knows how it came to.
  mutating func set(_ code: UInt16, isDown: Bool) {
    // Where it stands as before, an edge that counted may still bounce.
    if let state = states[code], state.due == nil, state.isDown == isDown, state.counted == isDown { return }
    waiting.removeAll { $0 == code }
    states[code] = State(isDown: isDown, counted: isDown)
  }

  /// Leaves nothing pressed.
  mutating func clear() {
    states.removeAll()
    waiting.removeAll()
  }

  private mutating func count(_ state: inout State, _ code: UInt16) -> Change {
    state.counted = state.isDown
    state.countedTime = state.time
    state.due = nil
    latest = max(latest ?? .min, state.time)
    return Change(key: .init(code: code, scan: state.scan), isDown: state.isDown, time: state.time)
  }
}
