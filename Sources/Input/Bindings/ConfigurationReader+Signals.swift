import Feedback
import Text
import Toml

/// Reads the signals to play: rhythms, tones and sounds.
extension ConfigurationReader {
  private static let rhythms = Rhythm.named.map(\.name)

  mutating func rhythm(_ key: String, _ value: Value) -> Rhythm? {
    let help = "it can be \(Self.rhythms.joined(separator: ", ")), seconds on and off as in [0.06, 0.1, 0.3], or false"
    switch value.content {
    case .string(let text):
      if let known = Rhythm.named.first(where: { $0.name == text }) { return known.rhythm }
      fail(value.place, "\"\(text)\" is no rhythm", hint: Suggestion.phrase(for: text, among: Self.rhythms) ?? help)
      return nil
    case .array(let values):
      let errorsBefore = errors.count
      let parts = values.compactMap { milliseconds(key, $0) }
      guard errors.count == errorsBefore else { return nil }
      if let rhythm = Rhythm(milliseconds: parts) { return rhythm }
      fail(
        value.place, "\(key) has \(values.count) parts",
        hint: "on, off, on: an odd number of them, and at most \(Rhythm.mostParts)")
      return nil
    default:
      fail(value.place, "\(key) must be a rhythm, and this is \(value.kind)", hint: help)
      return nil
    }
  }

  private mutating func milliseconds(_ key: String, _ value: Value) -> Int32? {
    guard let seconds = number(key, value) else { return nil }
    // Compared as fractions, because a number that is far too large must not be converted to an integer.
    let milliseconds = (seconds * 1000).rounded()
    guard Double(Rhythm.range.lowerBound)...Double(Rhythm.range.upperBound) ~= milliseconds else {
      let isInMilliseconds = Double(Rhythm.range.lowerBound)...Double(Rhythm.range.upperBound) ~= seconds
      fail(
        value.place, "each part of \(key) can be from 0.02 to 2 seconds",
        hint: isInMilliseconds ? "did you mean \(seconds / 1000)?" : nil)
      return nil
    }
    return Int32(milliseconds)
  }

  mutating func tone(_ value: Value) -> Tone? {
    let pitches: [Value] = if case .array(let values) = value.content { values } else { [value] }
    let limits = Int64(Tone.range.lowerBound)...Int64(Tone.range.upperBound)
    let errorsBefore = errors.count
    let read = pitches.compactMap { integer("tone", $0, in: limits) }.map { Int32($0) }
    guard errors.count == errorsBefore else { return nil }
    if let tone = Tone(pitches: read) { return tone }
    fail(value.place, "tone has \(pitches.count) notes", hint: "1 to \(Tone.mostNotes), such as [880, 440]")
    return nil
  }

  mutating func sound(_ value: Value) -> Sound? {
    choice("sound", value, help: "it can be \(Sound.allCases.map(\.rawValue).joined(separator: ", ")) or false")
  }
}
