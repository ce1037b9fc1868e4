/// One `[[feedback]]` of a configuration: the feedback for an event.
public struct FeedbackRule: Equatable, Sendable {
  /// The setting of one channel; an absent setting is nil.
  public enum Setting<Value: Equatable & Sendable>: Equatable, Sendable {
    case silence
    case play(Value)

    /// The value to play; nil for silence.
    public var value: Value? { if case .play(let value) = self { value } else { nil } }
  }

  public let event: FeedbackEvent
  /// For a boundary, the number (2 or more) whose multiples are boundaries; nil for the counter's boundaries.
  public let every: Int64?
  /// The counter's name; nil for all.
  public let counter: String?
  public var vibrate: Setting<Rhythm>?
  public var light: Setting<Rhythm>?
  public var tone: Setting<Tone>?
  public var sound: Setting<Sound>?
  /// The line of the configuration on which the rule begins.
  public let line: Int

  public init(_ event: FeedbackEvent, every: Int64? = nil, counter: String? = nil, line: Int = 0) {
    self.event = event
    self.every = every
    self.counter = counter
    self.line = line
  }

  /// Whether the rule applies to an outcome.
  func matches(_ outcome: Outcome) -> Bool {
    guard counter == nil || counter == outcome.counter else { return false }
    if let every { return outcome.crosses(multipleOf: every) }
    return event == outcome.event || outcome.marks.contains(event)
  }
}

/// Chooses the feedback for the outcomes of a gesture: by the rules of a configuration, else by the standard.
public struct FeedbackRules: Equatable, Sendable {
  public let rules: [FeedbackRule]
  /// Whether the configuration names a light. Without a rule, a light plays the default rhythms of the motor.
  public let hasLight: Bool

  public init(_ rules: [FeedbackRule], hasLight: Bool) {
    self.rules = rules
    self.hasLight = hasLight
  }

  /// The feedback for all outcomes of one gesture.
  ///
  /// Each channel plays the most important event that has a setting for it: a boundary before the count that reached
  /// it, a larger boundary before a smaller one. A rule that names the counter has priority over a rule that does not.
  public func signal(for outcomes: [Outcome]) -> Signal {
    let cases = outcomes.flatMap(cases(of:)).sorted { ($0.event, $0.every) > ($1.event, $1.every) }
    var signal = Signal()
    signal.vibration = first(of: cases, setting: \.vibrate).map { Pattern(steps: $1.steps, event: $0) }
    signal.light = first(of: cases, setting: \.light).map { Pattern(steps: $1.steps, event: $0) }
    signal.tone = first(of: cases, setting: \.tone).map { Pattern(steps: $1.steps, event: $0) }
    signal.sound = first(of: cases, setting: \.sound)?.value
    return signal
  }

  /// The lengths of all pulses that a motor may have to play, in milliseconds.
  public var pulses: Set<Int32> {
    var pulses: Set<Int32> = []
    for rhythm in FeedbackEvent.allCases.compactMap(Rhythm.standard) + rules.compactMap(\.vibrate?.value) {
      for (index, length) in rhythm.milliseconds.enumerated() where index % 2 == 0 { pulses.insert(length) }
    }
    return pulses
  }

  /// Whether the rules can play a light.
  public var lights: Bool { hasLight || rules.contains { $0.light?.value != nil } }
  /// Whether the rules can play a tone.
  public var tones: Bool { rules.contains { $0.tone?.value != nil } }
  /// Whether the rules can play a sound.
  public var sounds: Bool { rules.contains { $0.sound?.value != nil } }

  // MARK: Deciding

  /// One event of an outcome, with the rules for it by descending priority.
  private struct Case {
    let event: FeedbackEvent
    let every: Int64
    let rules: [FeedbackRule]
  }

  private func cases(of outcome: Outcome) -> [Case] {
    let matching = rules.filter { $0.matches(outcome) }
    // Rules with a counter come first; rules of each kind keep the order of the file.
    let ordered = matching.filter { $0.counter != nil } + matching.filter { $0.counter == nil }
    let multiples = Set(ordered.compactMap(\.every)).map { every in
      Case(event: .boundary, every: every, rules: ordered.filter { $0.every == every })
    }
    let others = outcome.marks.union([outcome.event]).map { event in
      let own = ordered.filter { $0.event == event && $0.every == nil }
      return Case(event: event, every: 0, rules: own + [standard(for: event)])
    }
    return multiples + others
  }

  private func standard(for event: FeedbackEvent) -> FeedbackRule {
    var rule = FeedbackRule(event)
    guard let rhythm = Rhythm.standard(for: event) else { return rule }
    rule.vibrate = .play(rhythm)
    if hasLight { rule.light = .play(rhythm) }
    return rule
  }

  private func first<Value>(
    of cases: [Case], setting: (FeedbackRule) -> FeedbackRule.Setting<Value>?
  ) -> (event: FeedbackEvent, value: Value)? {
    for one in cases {
      if let value = one.rules.lazy.compactMap(setting).first?.value { return (one.event, value) }
    }
    return nil
  }
}
