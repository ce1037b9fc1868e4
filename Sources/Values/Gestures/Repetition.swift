/// Separates single, double and triple taps, or presses. One exists for each target with a binding for a double or
/// triple one.
///
/// | so far | another one in time                | none in time                                         |
/// |--------|------------------------------------|------------------------------------------------------|
/// | none   | one                                | -                                                    |
/// | one    | two, or all if no triple is bound  | none; the single one is emitted, if it waited        |
/// | two    | all                                | none; the two are emitted, as a double or separately |
/// | all    | none, at once                      | -                                                    |
///
/// In eager mode each gesture is emitted at once, and a longer one takes back the shorter ones before it.
struct Repetition: Equatable, Sendable {
  /// The gestures that are bound to one target, and their timing.
  struct Rule: Equatable, Sendable {
    /// The kinds of two and of three gestures in a row; nil if that number is not bound.
    let twice: Gesture.Kind?
    let thrice: Gesture.Kind?
    let isEager: Bool
    /// Identifies the target: the number of fingers, or the key.
    let spot: Int
    /// The longest pause before the second and before the third one.
    let pauses: [Int64]

    /// Nil if neither a double nor a triple gesture is bound.
    init?(twice: Interest?, thrice: Interest?, spot: Int) {
      guard let first = twice ?? thrice else { return nil }
      self.twice = twice?.kind
      self.thrice = thrice?.kind
      self.spot = spot
      isEager = first.timing.mode == .eager
      let isOfKeys = first.kind == .doublePress || first.kind == .triplePress
      let third = thrice.map { isOfKeys ? $0.timing.triplePress : $0.timing.tripleTap } ?? 0
      pauses = [twice.map { isOfKeys ? $0.timing.doublePress : $0.timing.doubleTap } ?? third, third]
    }
  }

  private(set) var rule: Rule?
  /// Whether a further tap or press would belong to the row.
  private(set) var isInProgress = false
  /// The end of the wait for a further tap or press; nil while a finger or key is down, or if nothing is in progress.
  private(set) var deadline: Int64?
  /// All taps or presses of the row, up to three. Kept after its end, because they may still be withdrawn.
  private var singles: [Gesture] = []
  /// The emitted gestures of the row; empty while the row waits for more.
  private var emitted: [Gesture] = []

  /// Whether the last tap or press is part of a double or triple one.
  var isMerged: Bool { singles.count > 1 && emitted.count < singles.count }

  /// Adds a single tap or press.
  ///
  /// - Parameter isEmitted: whether it was already emitted, before it was known to be single.
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
    if singles.count == (rule.thrice == nil ? 2 : 3) { flush(into: &output) }
  }

  /// Starts the longest pause before the next tap, at the end of the last one.
  mutating func pause(from time: Int64) {
    guard let rule, isInProgress else { return }
    deadline = time.later(by: rule.pauses[min(singles.count, 2) - 1])
  }

  /// Extends the wait for a touch or press in progress, whose kind will be known at `time`.
  mutating func wait(until time: Int64) {
    if isInProgress { deadline = time }
  }

  /// Removes the last tap, which turned out to be something else. Emits those before it again if it was merged with them.
  ///
  /// - Returns: the gestures that its replacement must take back.
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

  /// The gestures that a row of taps or presses is emitted as.
  private func whole(_ singles: [Gesture]) -> [Gesture] {
    guard let name = name(of: singles.count), let last = singles.last else { return singles }
    return [last.renamed(name)]
  }

  private func name(of count: Int) -> Gesture.Kind? { count == 2 ? rule?.twice : count == 3 ? rule?.thrice : nil }
}
