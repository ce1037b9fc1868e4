/// Decides what is played about what became of a gesture: the rules of a configuration, and the standard where they say
/// nothing.
public struct FeedbackRules: Equatable, Sendable {
  public let rules: [FeedbackRule]
  /// Whether a light has been named, which then shines as standard.
  public let hasLight: Bool

  public init(_ rules: [FeedbackRule], hasLight: Bool) {
    self.rules = rules
    self.hasLight = hasLight
  }

  /// What is played about the things that became of one gesture.
  ///
  /// For each way of feedback the most important occasion that has something to say about it is heard: a boundary comes
  /// before the count that reached it, a larger one before a smaller. Of its rules one that names the counter comes
  /// before one that does not.
  public func signal(for happenings: [Happening]) -> Signal {
    let cases = happenings.flatMap(cases(of:)).sorted { ($0.occasion, $0.every) > ($1.occasion, $1.every) }
    var signal = Signal()
    signal.vibration = first(of: cases, saying: \.vibrate).map { Piece(steps: $1.steps, occasion: $0) }
    signal.light = first(of: cases, saying: \.light).map { Piece(steps: $1.steps, occasion: $0) }
    signal.tone = first(of: cases, saying: \.tone).map { Piece(steps: $1.steps, occasion: $0) }
    signal.sound = first(of: cases, saying: \.sound)?.value
    return signal
  }

  /// Everything that a motor may be asked to do, as the lengths of its pulses in milliseconds.
  public var pulses: Set<Int32> {
    var pulses: Set<Int32> = []
    for rhythm in Occasion.allCases.compactMap(Rhythm.standard) + rules.compactMap(\.vibrate?.value) {
      for (index, length) in rhythm.milliseconds.enumerated() where index % 2 == 0 { pulses.insert(length) }
    }
    return pulses
  }

  /// Whether any light may be asked for, any tone, any sound.
  public var lights: Bool { hasLight || rules.contains { $0.light?.value != nil } }
  public var tones: Bool { rules.contains { $0.tone?.value != nil } }
  public var sounds: Bool { rules.contains { $0.sound?.value != nil } }

  // MARK: Deciding

  /// One occasion that a happening is, with the rules that speak of it, those that are asked first before the others.
  private struct Case {
    let occasion: Occasion
    let every: Int64
    let rules: [FeedbackRule]
  }

  private func cases(of happening: Happening) -> [Case] {
    let matching = rules.filter { $0.matches(happening) }
    // Those with a counter first; the order of the file within each.
    let ordered = matching.filter { $0.counter != nil } + matching.filter { $0.counter == nil }
    let multiples = Set(ordered.compactMap(\.every)).map { every in
      Case(occasion: .boundary, every: every, rules: ordered.filter { $0.every == every })
    }
    let others = happening.marks.union([happening.occasion]).map { occasion in
      let own = ordered.filter { $0.occasion == occasion && $0.every == nil }
      return Case(occasion: occasion, every: 0, rules: own + [standard(for: occasion)])
    }
    return multiples + others
  }

  /// What applies where no rule says anything.
  private func standard(for occasion: Occasion) -> FeedbackRule {
    var rule = FeedbackRule(occasion)
    guard let rhythm = Rhythm.standard(for: occasion) else { return rule }
    rule.vibrate = .play(rhythm)
    if hasLight { rule.light = .play(rhythm) }
    return rule
  }

  private func first<Value>(
    of cases: [Case], saying wish: (FeedbackRule) -> FeedbackRule.Wish<Value>?
  ) -> (occasion: Occasion, value: Value)? {
    for one in cases {
      if let value = one.rules.lazy.compactMap(wish).first?.value { return (one.occasion, value) }
    }
    return nil
  }
}
