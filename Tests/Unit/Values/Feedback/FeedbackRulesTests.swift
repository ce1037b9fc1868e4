import Feedback
import Testing

/// A count that ended at `value`.
private func added(_ change: Int64, to value: Int64, of counter: String? = "people") -> Outcome {
  Outcome(change < 0 ? .subtracted : .added, counter: counter, value: value, change: change)
}

/// What a rule is, with what is played as an argument that changes it.
private func rule(
  _ event: FeedbackEvent, every: Int64? = nil, counter: String? = nil, _ change: (inout FeedbackRule) -> Void
) -> FeedbackRule {
  var rule = FeedbackRule(event, every: every, counter: counter)
  change(&rule)
  return rule
}

extension Signal {
  /// When it vibrates, as milliseconds on and off.
  fileprivate var pulses: [Int32] { vibration?.steps.map(\.milliseconds) ?? [] }
}

struct FeedbackRulesTests {
  private let standard = FeedbackRules([], hasLight: false)
  private let tens = FeedbackRules([rule(.boundary, every: 10) { $0.sound = .play(.chime) }], hasLight: false)

  @Test(arguments: [
    (FeedbackEvent.added, [60]), (.subtracted, [60, 100, 60]), (.undone, [60, 100, 60, 100, 60]), (.refused, [500]),
    (.armed, [60, 100, 300]), (.reset, [300, 100, 300]), (.selected, [200]),
  ])
  func `without rules a motor tells by feel what happened`(_ event: FeedbackEvent, _ pulses: [Int32]) {
    let signal = standard.signal(for: [Outcome(event, counter: nil)])
    #expect(signal.pulses == pulses)
    #expect(signal.light == nil && signal.tone == nil && signal.sound == nil)
  }

  @Test func `no two things that people must tell apart feel the same`() {
    let events: [FeedbackEvent] = [.added, .subtracted, .selected, .undone, .armed, .reset, .goal, .refused]
    let felt = events.map {
      standard.signal(for: [Outcome($0, counter: nil)]).pulses
    }
    #expect(Set(felt).count == felt.count)
  }

  @Test func `a light that is named shines as the motor vibrates`() {
    let signal = FeedbackRules([], hasLight: true).signal(for: [added(-1, to: 4)])
    #expect(signal.light == signal.vibration)
    #expect(signal.light?.steps.map(\.level) == [1, 0, 1])
  }

  @Test func `a rule takes the place of the standard only where it says something`() {
    let rules = FeedbackRules([rule(.added) { $0.sound = .play(.click) }], hasLight: false)
    let signal = rules.signal(for: [added(1, to: 1)])
    #expect(signal.sound == .click)
    #expect(signal.pulses == [60])
  }

  @Test func `silence is no feedback at all`() {
    let rules = FeedbackRules([rule(.added) { $0.vibrate = .silence }], hasLight: false)
    #expect(rules.signal(for: [added(1, to: 1)]).isEmpty)
    #expect(!rules.signal(for: [added(-1, to: 1)]).isEmpty)
  }

  @Test func `a rule for one counter comes before one for all, wherever it stands`() {
    let all = rule(.added) { $0.sound = .play(.thud) }
    let dogs = rule(.added, counter: "dogs") { $0.sound = .play(.click) }
    for rules in [[all, dogs], [dogs, all]] {
      let rules = FeedbackRules(rules, hasLight: false)
      #expect(rules.signal(for: [added(1, to: 1, of: "dogs")]).sound == .click)
      #expect(rules.signal(for: [added(1, to: 1, of: "cats")]).sound == .thud)
    }
  }

  @Test(
    arguments: [
      (1, 10, true), (1, 9, false), (1, 11, false), (5, 12, true), (-1, 10, true), (-1, 9, false), (-3, 8, true),
      (1, 0, true), (-1, 0, true), (1, -10, true), (1, -9, false), (-1, -10, true), (-1, -11, false), (25, 31, true),
      (0, 10, false), (1, .max, false), (.max, .max, true), (-1, .min, false), (.min, .min, true), (.min, 5, false),
    ] as [(Int64, Int64, Bool)])
  func `a boundary is reached or passed, from either side`(_ change: Int64, _ value: Int64, _ isCrossed: Bool) {
    #expect((tens.signal(for: [added(change, to: value)]).sound == .chime) == isCrossed)
  }

  @Test func `at a boundary only what it says nothing about is left to the count`() {
    #expect(tens.signal(for: [added(1, to: 10)]).pulses == [60])
    #expect(tens.signal(for: [added(1, to: 10)]).vibration?.event == .added)
  }

  @Test func `of two boundaries the larger one is heard`() {
    let ten = rule(.boundary, every: 10) { $0.tone = .play(Tone(pitches: [880])!) }
    let hundred = rule(.boundary, every: 100) { $0.tone = .play(Tone(pitches: [880, 1760])!) }
    let rules = FeedbackRules([ten, hundred], hasLight: false)
    #expect(rules.signal(for: [added(1, to: 100)]).tone?.steps.map(\.level) == [880, 1760])
    #expect(rules.signal(for: [added(1, to: 90)]).tone?.steps.map(\.level) == [880])
    let many = (2...20).map { number in
      rule(.boundary, every: number) { $0.tone = .play(Tone(pitches: [Int32(50 * number)])!) }
    }
    for value in Int64(1)...200 {
      let largest = (Int64(2)...20).filter { value.isMultiple(of: $0) }.max()
      let heard = FeedbackRules(many, hasLight: false).signal(for: [added(1, to: value)]).tone?.steps.first?.level
      #expect(heard == largest.map { Int32(50 * $0) })
    }
  }

  @Test func `what the core says of a count is more important than the count`() {
    let boundary = rule(.boundary) { $0.sound = .play(.chime) }
    let rules = FeedbackRules([boundary], hasLight: false)
    let count = { (marks: Set<FeedbackEvent>) in
      rules.signal(for: [Outcome(.added, counter: "people", value: 7, change: 1, marks: marks)])
    }
    #expect((count([.boundary]).sound, count([.boundary]).pulses) == (.chime, [60]))
    #expect((count([.goal, .boundary]).sound, count([.goal]).pulses) == (.chime, [300, 100, 300, 100, 300]))
    #expect((count([.limited]).sound, count([.limited]).pulses) == (nil, [500]))
  }

  @Test func `only counting reaches a boundary`() {
    #expect(tens.signal(for: [Outcome(.undone, counter: "people", value: 10, change: 1)]).sound == nil)
  }

  @Test func `of several things the most important one is felt`() {
    let outcomes = [added(1, to: 1), Outcome(.reset, counter: "dogs"), added(-1, to: 1)]
    #expect(standard.signal(for: outcomes).pulses == [300, 100, 300])
    #expect(standard.signal(for: []).isEmpty)
  }

  @Test func `every length that a motor may be asked for is known beforehand`() {
    let own = rule(.added) { $0.vibrate = .play(Rhythm(milliseconds: [40, 20, 70])!) }
    #expect(FeedbackRules([own], hasLight: false).pulses == [40, 60, 70, 200, 300, 500])
  }

  @Test func `what nobody asked for is not wanted`() {
    #expect(!standard.lights && !standard.tones && !standard.sounds)
    let silent = rule(.added) { ($0.light, $0.tone, $0.sound) = (.silence, .silence, .silence) }
    #expect(!FeedbackRules([silent], hasLight: false).sounds)
    #expect(FeedbackRules([], hasLight: true).lights)
    #expect(FeedbackRules([rule(.undone) { $0.sound = .play(.thud) }], hasLight: false).sounds)
  }
}
