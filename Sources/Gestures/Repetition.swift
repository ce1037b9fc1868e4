/// Tells single taps from double and triple ones, and presses likewise; there is one for each spot on which more than
/// a single one is wished for.
///
/// | done so far | another one in time                  | none in time                                     |
/// |-------------|--------------------------------------|--------------------------------------------------|
/// | nothing     | one                                  | -                                                |
/// | one         | two, or all if nothing more is meant | nothing; the one is given, if it waited          |
/// | two         | all                                  | nothing; the two are given: as one double or two |
/// | all         | nothing, at once                     | -                                                |
///
/// Where the spot is eager everything is given as it comes, and what goes further takes back what was given before.
struct Repetition: Equatable, Sendable {
  /// What is wished for on a spot, and how it is told.
  struct Rule: Equatable, Sendable {
    /// What two and three of them are called; nil where nobody wants to know.
    let twice: Gesture.Kind?
    let thrice: Gesture.Kind?
    let isEager: Bool
    /// Tells the spot from others with the same wishes.
    let spot: Int
    /// The longest pause before the second and before the third one.
    let pauses: [Int64]

    /// Nil where nothing more than a single one is wished for.
    init?(twice: Wish?, thrice: Wish?, spot: Int) {
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
  /// Done and not given, because more may follow.
  private var held: [Gesture] = []
  /// Given, and not taken back so far.
  private var given: [Gesture] = []
  /// What the last one was given as, and what of those before it would stand without it.
  private var last: Last?
  /// When it is certain that no more follows; nil while that is not a matter of time, or nothing is in progress.
  private(set) var deadline: Int64?

  var isInProgress: Bool { count > 0 }

  /// One more was done.
  ///
  /// - Parameter isGiven: whether it was given already, because it was not known then whether it counts here.
  mutating func add(_ single: Gesture, as rule: Rule, isGiven: Bool = false, into output: inout GestureOutput) {
    self.rule = rule
    count += 1
    deadline = nil
    last = nil
    let isWhole = count == (rule.thrice == nil ? 2 : 3)
    guard rule.isEager else {
      held.append(single)
      return isWhole ? flush(into: &output) : ()
    }
    if isGiven { given.append(single) }
    if let name = name(of: count) {
      let whole = single.renamed(name, takesBack: given)
      last = Last(given: whole, before: given)
      given = [whole]
      output.give(whole, isWished: true)
    } else if !isGiven {
      last = Last(given: single, before: [])
      given.append(single)
      output.give(single, isWished: true)
    }
    if isWhole { flush(into: &output) }
  }

  /// The last one ended; the next one must begin within the pause that is allowed.
  mutating func pause(from time: Int64) {
    guard let rule, isInProgress else { return }
    deadline = time.later(by: rule.pauses[min(count, 2) - 1])
  }

  /// Something began that may be the next one; until then it is known.
  mutating func wait(until time: Int64) {
    if isInProgress { deadline = time }
  }

  /// Takes the last one out again: it was something else. Returns what that has to take back; what was before it is
  /// given once more where it was merged with it.
  mutating func withdraw(into output: inout GestureOutput) -> [Gesture] {
    if !held.isEmpty {
      held.removeLast()
      count -= 1
      return []
    }
    guard let last else { return [] }
    self = Repetition()
    guard let first = last.before.first else { return [last.given] }
    output.give(first.renamed(first.kind, takesBack: [last.given]), isWished: true)
    for further in last.before.dropFirst() { output.give(further.renamed(further.kind), isWished: true) }
    return []
  }

  /// No more follows: gives what waited.
  mutating func flush(into output: inout GestureOutput) {
    var last = last
    let wholes = whole(held)
    for gesture in wholes { output.give(gesture, isWished: true) }
    if let given = wholes.last {
      last = Last(given: given, before: wholes.count == 1 ? whole(held.dropLast()) : [])
    }
    self = Repetition()
    self.last = last
  }

  /// What so many of them are when no more follow.
  private func whole(_ singles: some BidirectionalCollection<Gesture>) -> [Gesture] {
    guard let name = name(of: singles.count), let last = singles.last else { return Array(singles) }
    return [last.renamed(name)]
  }

  private func name(of count: Int) -> Gesture.Kind? { count == 2 ? rule?.twice : count == 3 ? rule?.thrice : nil }

  private struct Last: Equatable, Sendable {
    let given: Gesture
    let before: [Gesture]
  }
}
