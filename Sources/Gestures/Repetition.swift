/// Separates single, double and triple taps, or presses. One exists for each target with a binding for a double or
/// triple one.
///
/// | done so far | another one in time                  | none in time                                     |
/// |-------------|--------------------------------------|--------------------------------------------------|
/// | nothing     | one                                  | -                                                |
/// | one         | two, or all if nothing more is meant | nothing; the one is emitted, if it waited          |
/// | two         | all                                  | nothing; the two are emitted: as one double or two |
/// | all         | nothing, at once                     | -                                                |
///
/// In eager mode each gesture is emitted at once, and a longer one takes back the shorter ones before it.
struct Repetition: Equatable, Sendable {
  /// The gestures that are bound to one target, and their timing.
  struct Rule: Equatable, Sendable {
    /// The kinds of two and of three in turn; nil where none is bound.
    let twice: Gesture.Kind?
    let thrice: Gesture.Kind?
    let isEager: Bool
    /// Identifies the target: the number of fingers, or the key.
    let spot: Int
    /// The longest pause before the second and before the third one.
    let pauses: [Int64]

    /// Nil where neither a double nor a triple one is bound.
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
  private var count = 0
  /// Taps held back, because more may follow.
  private var held: [Gesture] = []
  /// Gestures emitted and not taken back so far.
  private var emitted: [Gesture] = []
  /// The last gesture emitted, and those that remain if it is withdrawn.
  private var last: Last?
  /// When the wait for a further tap ends; nil while a finger or key is down, or nothing is in progress.
  private(set) var deadline: Int64?

  var isInProgress: Bool { count > 0 }

  /// Whether the last tap is part of a double or triple one.
  var isMerged: Bool { held.count > 1 || last.map { !$0.before.isEmpty } ?? false }

  /// Adds a single tap or press.
  ///
  /// - Parameter isEmitted: whether it was emitted already, before it was known to be a single one.
  mutating func add(_ single: Gesture, as rule: Rule, isEmitted: Bool = false, into output: inout GestureOutput) {
    self.rule = rule
    count += 1
    deadline = nil
    last = nil
    let isWhole = count == (rule.thrice == nil ? 2 : 3)
    guard rule.isEager else {
      held.append(single)
      return isWhole ? flush(into: &output) : ()
    }
    if isEmitted { emitted.append(single) }
    if let name = name(of: count) {
      let whole = single.renamed(name, takesBack: emitted)
      last = Last(emitted: whole, before: emitted)
      emitted = [whole]
      output.emit(whole, isBound: true)
    } else if !isEmitted {
      last = Last(emitted: single, before: [])
      emitted.append(single)
      output.emit(single, isBound: true)
    }
    if isWhole { flush(into: &output) }
  }

  /// Starts the longest pause before the next tap, which the end of the last one begins.
  mutating func pause(from time: Int64) {
    guard let rule, isInProgress else { return }
    deadline = time.later(by: rule.pauses[min(count, 2) - 1])
  }

  /// Extends the wait for a touch or press in progress, whose kind is known at `time`.
  mutating func wait(until time: Int64) {
    if isInProgress { deadline = time }
  }

  /// Removes the last tap, which turned out to be something else. Emits those before it again if it was merged with them.
  ///
  /// - Returns: the gestures that its replacement must take back.
  mutating func withdraw(into output: inout GestureOutput) -> [Gesture] {
    if !held.isEmpty {
      held.removeLast()
      count -= 1
      return []
    }
    guard let last else { return [] }
    self = Repetition()
    guard let first = last.before.first else { return [last.emitted] }
    output.emit(first.renamed(first.kind, takesBack: [last.emitted]), isBound: true)
    for further in last.before.dropFirst() { output.emit(further.renamed(further.kind), isBound: true) }
    return []
  }

  /// Emits all taps held back and ends the wait.
  mutating func flush(into output: inout GestureOutput) {
    var last = last
    let wholes = whole(held)
    for gesture in wholes { output.emit(gesture, isBound: true) }
    if let emitted = wholes.last {
      last = Last(emitted: emitted, before: wholes.count == 1 ? whole(held.dropLast()) : [])
    }
    self = Repetition()
    self.last = last
  }

  /// The gestures that a finished row of taps amounts to.
  private func whole(_ singles: some BidirectionalCollection<Gesture>) -> [Gesture] {
    guard let name = name(of: singles.count), let last = singles.last else { return Array(singles) }
    return [last.renamed(name)]
  }

  private func name(of count: Int) -> Gesture.Kind? { count == 2 ? rule?.twice : count == 3 ? rule?.thrice : nil }

  private struct Last: Equatable, Sendable {
    let emitted: Gesture
    let before: [Gesture]
  }
}
