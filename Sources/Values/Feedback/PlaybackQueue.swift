/// The patterns of one motor, light or buzzer: one plays and at most one waits, so that playback ends at most two
/// patterns after the last count.
///
/// The queue reads no clock; times are nanoseconds of one clock.
///
/// | state   | event                 | next                                                        |
/// |---------|-----------------------|-------------------------------------------------------------|
/// | silent  | a pattern is added    | playing                                                     |
/// | playing | a pattern is added    | it waits, unless the one that waits is more important       |
/// | playing | the step's time is up | the next step, or resting                                   |
/// | resting | the pause is over     | the waiting pattern plays, or silent                        |
public struct PlaybackQueue: Equatable, Sendable {
  /// A command to the motor, light or buzzer.
  public enum Action: Equatable, Sendable {
    /// A pattern begins; its first step follows.
    case begin(Pattern)
    case step(Pattern.Step)
    /// The pattern has ended; the actuator goes off.
    case end
  }

  private enum State: Equatable {
    case silent
    case playing(Pattern, index: Int, until: Int64)
    /// The pattern that has ended, and the time of its end.
    case resting(Pattern, since: Int64)
  }

  private var state = State.silent
  private var waiting: Pattern?

  /// The pause between different patterns, in nanoseconds.
  public static let pause: Int64 = 150_000_000
  /// The pause between equal single pulses, in nanoseconds. With pulses of 60 ms a person feels ten counts a second;
  /// people do not tap faster.
  static let shortPause: Int64 = 40_000_000

  public init() {}

  /// Adds a pattern; ``advance(to:)`` returns the commands that play it.
  public mutating func add(_ pattern: Pattern) {
    guard !pattern.steps.isEmpty else { return }
    if let waiting, waiting.event > pattern.event { return }
    waiting = pattern
  }

  /// Returns the commands that are due until `time`.
  public mutating func advance(to time: Int64) -> [Action] {
    var actions: [Action] = []
    // A late step keeps its whole length; playback does not catch up at double speed.
    while let deadline = nextDeadline, deadline <= time {
      switch state {
      case .silent, .resting: begin(at: time, &actions)
      case .playing(let pattern, let index, _):
        guard index + 1 < pattern.steps.count else {
          state = .resting(pattern, since: time)
          actions.append(.end)
          continue
        }
        play(pattern, index + 1, at: time, &actions)
      }
    }
    return actions
  }

  /// The time at which ``advance(to:)`` must be called; nil while the queue is empty.
  public var nextDeadline: Int64? {
    switch state {
    case .silent: waiting == nil ? nil : .min
    case .playing(_, _, let until): until
    case .resting(let last, let since):
      // Equal single pulses or notes stay distinct with a short pause.
      waiting.map { $0 == last && $0.steps.count == 1 ? since &+ Self.shortPause : since &+ Self.pause }
    }
  }

  private mutating func begin(at time: Int64, _ actions: inout [Action]) {
    guard let pattern = waiting else { return }
    waiting = nil
    actions.append(.begin(pattern))
    play(pattern, 0, at: time, &actions)
  }

  private mutating func play(_ pattern: Pattern, _ index: Int, at time: Int64, _ actions: inout [Action]) {
    actions.append(.step(pattern.steps[index]))
    state = .playing(pattern, index: index, until: time &+ Int64(pattern.steps[index].milliseconds) * 1_000_000)
  }
}

/// Computes the time at which a motor that plays patterns from a ``PlaybackQueue`` stops, without asking the motor.
///
/// Times are nanoseconds of one clock.
public struct Vibrations: Equatable, Sendable {
  private var end = Int64.min / 2
  private var longest: Int64 = 0

  public init() {}

  /// The latest time at which the motor comes to rest after one more pattern is added.
  public mutating func end(adding pattern: Pattern, at time: Int64) -> Int64 {
    let length = pattern.milliseconds * 1_000_000
    // At most one pattern plays before the new one: of the waiting pattern and the new one, only one is kept.
    let start = min(max(time, end &+ PlaybackQueue.pause), time &+ longest &+ PlaybackQueue.pause)
    longest = max(longest, length)
    end = max(end, start &+ length)
    return end
  }
}
