import Counting
import Feedback
import Text
import Toml

extension ConfigurationReader {
  /// The keys of the file that name the outputs of feedback.
  static let outputKeys = ["motor", "led", "speaker"]

  /// Reads the feedback settings among the file's members.
  mutating func feedback(_ members: [Member]) -> FeedbackSettings {
    let value = { (key: String) in members.first { $0.key == key }?.value }
    return FeedbackSettings(
      rules: value("feedback").map { feedbackRules($0) } ?? [],
      motor: value("motor").flatMap { string("motor", $0) }, light: value("led").flatMap { light($0) },
      speaker: value("speaker").flatMap { string("speaker", $0) } ?? FeedbackSettings.standardSpeaker)
  }

  /// The lights of input devices, by the kernel's names and numbers for them (`linux/input-event-codes.h`).
  private static let lights = [
    "LED_NUML", "LED_CAPSL", "LED_SCROLLL", "LED_COMPOSE", "LED_KANA", "LED_SLEEP", "LED_SUSPEND", "LED_MUTE",
    "LED_MISC", "LED_MAIL", "LED_CHARGING",
  ]

  private mutating func light(_ value: Value) -> FeedbackSettings.Light? {
    guard let text = string("led", value) else { return nil }
    guard text.hasPrefix("LED_") else { return .system(text) }
    if let code = Self.lights.firstIndex(of: text) { return .own(UInt16(code)) }
    fail(
      value.place, "no input device has a light called \"\(text)\"",
      hint: Suggestion.phrase(for: text, among: Self.lights) ?? "it can be \(Self.lights.joined(separator: ", "))")
    return nil
  }

  /// Reads the `[[feedback]]` tables; two with the same event, counter and multiple are an error.
  private mutating func feedbackRules(_ value: Value) -> [FeedbackRule] {
    var rules: [FeedbackRule] = []
    for (members, place) in tables("feedback", value) {
      guard let rule = feedbackRule(members, at: place) else { continue }
      let same = rules.first {
        ($0.event, $0.every, $0.counter) == (rule.event, rule.every, rule.counter)
      }
      if let same {
        let counter = rule.counter.map { " of \($0)" } ?? ""
        fail(place, "feedback on \(rule.event.rawValue)\(counter) is described already on line \(same.line)")
      } else {
        rules.append(rule)
      }
    }
    return rules
  }

  private static let feedbackKeys = ["on", "every", "counter", "vibrate", "light", "tone", "sound"]
  private static let events = FeedbackEvent.allCases.map(\.rawValue)

  private mutating func feedbackRule(_ members: [Member], at place: Place) -> FeedbackRule? {
    let errorsBefore = errors.count
    checkKeys(members, of: "[[feedback]]", known: Self.feedbackKeys)
    let value = { (key: String) in members.first { $0.key == key }?.value }
    guard let on = value("on") else {
      fail(place, "[[feedback]] has no \"on\"", hint: "it can be \(Self.events.joined(separator: ", "))")
      return nil
    }
    guard let event: FeedbackEvent = choice("on", on, fault: "nothing that happens to a counter") else { return nil }
    let counter = value("counter").flatMap { self.counter($0) }
    if event == .refused, counter != nil, let member = members.first(where: { $0.key == "counter" }) {
      fail(member.place, "on = \"refused\" takes no counter", hint: "delete line \(member.place.line)")
    }
    var rule = FeedbackRule(
      event, every: every(value("every"), for: event), counter: counter, line: place.line)
    rule.vibrate = setting(value("vibrate")) { $0.rhythm("vibrate", $1) }
    rule.light = setting(value("light")) { $0.rhythm("light", $1) }
    rule.tone = setting(value("tone")) { $0.tone($1) }
    rule.sound = setting(value("sound")) { $0.sound($1) }
    guard errors.count == errorsBefore else { return nil }
    if rule.vibrate == nil, rule.light == nil, rule.tone == nil, rule.sound == nil {
      fail(place, "[[feedback]] does not say what is to be played", hint: "give it vibrate, light, tone or sound")
    }
    return rule
  }

  private mutating func every(_ value: Value?, for event: FeedbackEvent) -> Int64? {
    guard let value else { return nil }
    guard event == .boundary else {
      fail(value.place, "only a boundary has an \"every\"")
      return nil
    }
    return integer("every", value, in: 2...1_000_000_000).map(Int64.init)
  }

  private mutating func counter(_ value: Value) -> String? {
    guard let text = string("counter", value) else { return nil }
    do throws(CountingError) {
      return try CounterName(text).text
    } catch {
      fail(value.place, error.message.first == "“" ? String(error.message.dropLast()) : error.message)
      return nil
    }
  }

  /// Reads a setting with `read`; `false` means silence.
  private mutating func setting<Played>(
    _ value: Value?, _ read: (inout Self, Value) -> Played?
  ) -> FeedbackRule.Setting<Played>? {
    guard let value else { return nil }
    if case .boolean(false) = value.content { return .silence }
    return read(&self, value).map { .play($0) }
  }

  // MARK: Signals: rhythms, tones and sounds

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
