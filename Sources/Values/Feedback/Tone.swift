/// A few notes on a buzzer, such as a computer's own speaker.
public struct Tone: Equatable, Sendable, CustomStringConvertible {
  /// The pitch of each note in hertz.
  public let pitches: [Int32]

  /// The range of such speakers and of ears; the kernel's limit is 32,767.
  public static let range: ClosedRange<Int32> = 50...15_000
  public static let mostNotes = 8
  /// The length of each note: long enough to have a pitch, short enough for fast counting.
  static let noteMilliseconds: Int32 = 80

  /// The tone; nil without notes, with too many, or with a pitch out of ``range``.
  public init?(pitches: [Int32]) {
    guard 1...Self.mostNotes ~= pitches.count, pitches.allSatisfy(Self.range.contains) else { return nil }
    self.pitches = pitches
  }

  public var description: String { pitches.map { String($0) }.joined(separator: "-") + " Hz" }

  /// The tone as steps of a pattern.
  var steps: [Pattern.Step] { pitches.map { Pattern.Step(level: $0, milliseconds: Self.noteMilliseconds) } }
}
