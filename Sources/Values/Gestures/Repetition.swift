/// Separates single taps or presses of one target from rows, such as a double-tap.
///
/// | taps so far | another tap in time                   | no tap in time                                           |
/// |-------------|---------------------------------------|----------------------------------------------------------|
/// | nothing     | one                                   | -                                                        |
/// | one         | two, or all if no longer row is bound | nothing; the tap is emitted, if it waited                |
/// | more        | one more, or all                      | nothing; the longest bound row is emitted, then the rest |
/// | all         | nothing, at once                      | -                                                        |
///
/// In eager mode each gesture is emitted at once, and a longer one takes back the shorter ones before it.
struct Repetition: Equatable, Sendable {
  /// The gestures that are bound to one target, and their timing.
  struct Rule: Equatable, Sendable {
    /// The kinds that are bound, the shortest row first.
    let kinds: [Gesture.Kind]
    let isEager: Bool
    /// Identifies the target: the number of fingers, or the key.
    let spot: Int
    /// The longest pauses: before the second tap or press, the third one and so on.
    let pauses: [Int64]

    /// The number of taps or presses of the longest row.
    var most: Int { pauses.count + 1 }

    /// Nil if no row is bound.
    ///
    /// - Parameter interests: the gestures that are bound to the target.
    init?(_ interests: [Interest], spot: Int) {
      let rows = interests.filter { $0.kind.base != nil }.sorted { $0.kind.times < $1.kind.times }
      guard let first = rows.first else { return nil }
      kinds = rows.map(\.kind)
      self.spot = spot
      isEager = first.timing.mode == .eager
      // Each row sets only the pauses that no shorter row has set.
      var pauses: [Int64] = []
      for row in rows {
        while pauses.count < row.kind.times - 1 { pauses.append(row.timing.pause(before: row.kind)) }
      }
      self.pauses = pauses
    }
  }

  private(set) var rule: Rule?
  /// Whether a further tap or press would belong to the row.
  private(set) var isInProgress = false
  /// The end of the wait for a further tap or press; nil while a finger or key is down, or if nothing is in progress.
  private(set) var deadline: Int64?
  /// All taps or presses of the row, up to ``Rule/most``. Kept after its end, because taps may still be withdrawn.
  private var singles: [Gesture] = []
  /// The emitted gestures of the row; empty while the row waits for more.
  private var emitted: [Gesture] = []

  /// Whether the last tap or press is part of a row.
  var isMerged: Bool { emitted.last.map { $0.kind.base != nil } ?? (singles.count > 1) }

  /// The last single tap or press of the row.
  var last: Gesture? { singles.last }

  func contains(_ single: Gesture) -> Bool { singles.contains(single) }

  /// Adds a single tap or press.
  ///
  /// - Parameter isEmitted: whether the tap or press was emitted already.
  mutating func add(_ single: Gesture, as rule: Rule, isEmitted: Bool = false, into output: inout GestureOutput) {
    if !isInProgress { self = Repetition() }
    self.rule = rule
    isInProgress = true
    deadline = nil
    singles.append(single)
    if rule.isEager {
      if isEmitted { emitted.append(single) }
      if let name = name(of: singles.count) {
        let whole = single.renamed(name, takesBack: emitted)
        emitted = [whole]
        output.emit(whole, isBound: true)
      } else if !isEmitted {
        emitted.append(single)
        output.emit(single, isBound: true)
      }
    }
    if singles.count == rule.most { flush(into: &output) }
  }

  /// Starts the longest pause before the next tap, at the end of the last one.
  mutating func pause(from time: Int64) {
    guard let rule, isInProgress else { return }
    deadline = time.later(by: rule.pauses[min(singles.count, rule.pauses.count) - 1])
  }

  /// Extends the wait for a touch or press in progress, whose kind will be known at `time`.
  mutating func wait(until time: Int64) {
    if isInProgress { deadline = time }
  }

  /// Removes the last tap, which turned out to be something else. If the tap was merged into a row, emits the earlier
  /// taps of the row again.
  ///
  /// - Returns: the gestures that the tap's replacement must take back.
  mutating func withdraw(into output: inout GestureOutput) -> [Gesture] {
    let wasMerged = isMerged
    guard singles.popLast() != nil else { return [] }
    guard let last = emitted.last else {
      isInProgress = !singles.isEmpty
      return []
    }
    isInProgress = false
    deadline = nil
    guard wasMerged else {
      emitted.removeLast()
      return [last]
    }
    var takesBack = emitted
    emitted = whole(singles).map { gesture in
      defer { takesBack = [] }
      return gesture.renamed(gesture.kind, takesBack: takesBack)
    }
    for gesture in emitted { output.emit(gesture, isBound: true) }
    return []
  }

  /// Emits all taps held back and ends the wait.
  mutating func flush(into output: inout GestureOutput) {
    if isInProgress, emitted.isEmpty {
      emitted = whole(singles)
      for gesture in emitted { output.emit(gesture, isBound: true) }
    }
    isInProgress = false
    deadline = nil
  }

  /// The gestures that a number of taps or presses makes, as in eager mode: the longest bound row, then the remaining
  /// single ones.
  private func whole(_ singles: [Gesture]) -> [Gesture] {
    guard let name = rule?.kinds.last(where: { $0.times <= singles.count }) else { return singles }
    return [singles[name.times - 1].renamed(name)] + singles.dropFirst(name.times)
  }

  private func name(of count: Int) -> Gesture.Kind? { rule?.kinds.first { $0.times == count } }
}
