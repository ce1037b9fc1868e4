/// A few notes on a buzzer, such as a computer's own speaker.
public struct Tone: Equatable, Sendable, CustomStringConvertible {
  /// The pitch of each note in hertz.
  public let pitches: [Int32]

  /// What such speakers and ears can do; the kernel's own limit is 32,767.
  public static let range: ClosedRange<Int32> = 50...15_000
  public static let mostNotes = 8
  /// How long each note is: long enough to have a pitch, short enough for fast counting.
  static let noteMilliseconds: Int32 = 80

  /// Nil where there is no note, too many, or one that cannot be heard.
  public init?(pitches: [Int32]) {
    guard 1...Self.mostNotes ~= pitches.count, pitches.allSatisfy(Self.range.contains) else { return nil }
    self.pitches = pitches
  }

  public var description: String { pitches.map { String($0) }.joined(separator: "-") + " Hz" }

  /// The same as something to be played.
  var steps: [Pattern.Step] { pitches.map { Pattern.Step(level: $0, milliseconds: Self.noteMilliseconds) } }
}
