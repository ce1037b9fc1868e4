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
}
