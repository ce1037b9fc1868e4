/// Whose turn it is on one motor, light or buzzer: one piece plays at a time and at most one waits, so that a flood of
/// counts lasts no longer than two pieces.
///
/// A value driven from outside; times are nanoseconds of one clock.
///
/// | state   | event                 | next                                                        |
/// |---------|-----------------------|-------------------------------------------------------------|
/// | silent  | a piece is added      | playing                                                     |
/// | playing | a piece is added      | it waits, unless what waits already is more important       |
/// | playing | the step's time is up | the next step, or resting                                   |
/// | resting | the pause is over     | what waits plays, or silent                                 |
public struct Turns: Equatable, Sendable {
  /// What is to be done with the motor, light or buzzer.
  public enum Action: Equatable, Sendable {
    /// A piece begins; its first step follows.
    case begin(Piece)
    case step(Piece.Step)
    /// The piece has ended; whatever is on goes off.
    case end
  }

  private enum State: Equatable {
    case silent
    case playing(Piece, index: Int, until: Int64)
    /// What has ended was this.
    case resting(Piece, since: Int64)
  }

  private var state = State.silent
  private var waiting: Piece?

  /// Between pieces that are to be told apart, in nanoseconds.
  public static let pause: Int64 = 150_000_000
  /// Between single pulses that are alike: with one of 60 ms up to ten counts in a second are felt, which is as fast as
  /// people tap.
  static let shortPause: Int64 = 40_000_000

  public init() {}

  /// Takes one more piece; what is to be done follows from ``advance(to:)``.
  public mutating func add(_ piece: Piece) {
    guard !piece.steps.isEmpty else { return }
    if let waiting, waiting.occasion > piece.occasion { return }
    waiting = piece
  }

  /// It is `time` now; gives what is to be done.
  public mutating func advance(to time: Int64) -> [Action] {
    var actions: [Action] = []
    // After a long sleep a step is not made up for at double speed: each begins when it is seen to begin.
    while let deadline = nextDeadline, deadline <= time {
      switch state {
      case .silent, .resting: begin(at: time, &actions)
      case .playing(let piece, let index, _):
        guard index + 1 < piece.steps.count else {
          state = .resting(piece, since: time)
          actions.append(.end)
          continue
        }
        play(piece, index + 1, at: time, &actions)
      }
    }
    return actions
  }

  /// When ``advance(to:)`` has something to do; nil where only an addition gives it any.
  public var nextDeadline: Int64? {
    switch state {
    case .silent: waiting == nil ? nil : .min
    case .playing(_, _, let until): until
    case .resting(let last, let since):
      waiting.map { $0 == last && $0.isSingle ? since &+ Self.shortPause : since &+ Self.pause }
    }
  }

  private mutating func begin(at time: Int64, _ actions: inout [Action]) {
    guard let piece = waiting else { return }
    waiting = nil
    actions.append(.begin(piece))
    play(piece, 0, at: time, &actions)
  }

  private mutating func play(_ piece: Piece, _ index: Int, at time: Int64, _ actions: inout [Action]) {
    actions.append(.step(piece.steps[index]))
    state = .playing(piece, index: index, until: time &+ Int64(piece.steps[index].milliseconds) * 1_000_000)
  }
}
