import Bindings
import Feedback
import Testing

struct FeedbackConfigurationTests {
  @Test func `what is played is read as it is written`() throws {
    let settings = try Configuration(
      """
      motor = "gpio-vibrator"
      led = "platform::*"
      speaker = "Beeper"

      [[feedback]]
      on = "added"
      counter = "people"
      vibrate = [0.06, 0.1, 0.3]
      light = "double"
      tone = [880, 440]
      sound = "click"

      [[feedback]]
      on = "boundary"
      every = 10
      vibrate = false
      light = false
      tone = 1000
      sound = false
      """
    ).feedback
    #expect((settings.motor, settings.light, settings.speaker) == ("gpio-vibrator", .system("platform::*"), "Beeper"))
    let first = try #require(settings.rules.first)
    #expect((first.event, first.counter, first.every) == (.added, "people", nil))
    #expect(first.vibrate == .play(try #require(Rhythm(milliseconds: [60, 100, 300]))))
    #expect(first.light == .play(.double))
    #expect(first.tone == .play(try #require(Tone(pitches: [880, 440]))))
    #expect(first.sound == .play(.click))
    let second = try #require(settings.rules.last)
    #expect((second.event, second.counter, second.every) == (.boundary, nil, 10))
    #expect((second.vibrate, second.light, second.sound) == (.silence, .silence, .silence))
    #expect(second.tone == .play(try #require(Tone(pitches: [1000]))))
  }

  @Test func `nothing is named where nothing is said`() throws {
    #expect(try Configuration("").feedback == .standard)
  }

  @Test func `a light of the device itself goes by the kernel's name`() throws {
    #expect(try Configuration("led = \"LED_SCROLLL\"\n").feedback.light == .own(2))
    #expect(try Configuration("led = \"LED_CHARGING\"\n").feedback.light == .own(10))
  }

  @Test func `of the lights that match the first is used`() throws {
    let settings = try Configuration("led = \"tpacpi::*\"\n").feedback
    #expect(settings.systemLight(among: ["tpacpi::power", "input3::capslock", "tpacpi::lid"]) == "tpacpi::lid")
    #expect(settings.systemLight(among: ["input3::capslock"]) == nil)
    #expect(FeedbackSettings.standard.systemLight(among: ["input3::capslock"]) == nil)
  }

  static let wrong: [(text: String, complaint: String)] = [
    ("[[feedback]]\nvibrate = 'short'\n", "1:1: [[feedback]] has no \"on\": it can be added, subtracted"),
    ("[[feedback]]\non = 'aded'\n", #"2:6: "aded" is nothing that happens to a counter: did you mean "added"?"#),
    ("[[feedback]]\non = 'added'\n", "1:1: [[feedback]] does not say what is to be played: give it vibrate"),
    (
      "[[feedback]]\non = 'added'\nvibrat = 'short'\nlight = false\n",
      #"3:1: [[feedback]] has no "vibrat": did you mean "vibrate"?"#
    ),
    ("[[feedback]]\non = 'added'\nvibrate = 'shrot'\n", #"3:11: "shrot" is no rhythm: did you mean "short"?"#),
    ("[[feedback]]\non = 'added'\nvibrate = true\n", "3:11: vibrate must be a rhythm, and this is true or false"),
    ("[[feedback]]\non = 'added'\nvibrate = [0.06, 0.1]\n", "3:11: vibrate has 2 parts: on, off, on"),
    ("[[feedback]]\non = 'added'\nvibrate = []\n", "3:11: vibrate has 0 parts"),
    (
      "[[feedback]]\non = 'added'\nlight = [60]\n",
      "3:10: each part of light can be from 0.02 to 2 seconds: did you mean 0.06?"
    ),
    ("[[feedback]]\non = 'added'\nlight = [1e300]\n", "3:10: each part of light can be from 0.02 to 2 seconds"),
    ("[[feedback]]\non = 'added'\ntone = 20\n", "3:8: tone must be a whole number from 50 to 15000"),
    ("[[feedback]]\non = 'added'\ntone = []\n", "3:8: tone has 0 notes: 1 to 8"),
    ("[[feedback]]\non = 'added'\nsound = 'clock'\n", #"3:9: "clock" is no sound: did you mean "click"?"#),
    (
      "[[feedback]]\non = 'boundary'\nevery = 1\nsound = 'click'\n",
      "3:9: every must be a whole number from 2 to 1000000000"
    ),
    ("[[feedback]]\non = 'added'\nevery = 10\nsound = 'click'\n", "3:9: only a boundary has an \"every\""),
    ("[[feedback]]\non = 'added'\ncounter = '5'\nsound = 'click'\n", "3:11: “5” is not a valid name"),
    (
      "[[feedback]]\non = 'refused'\ncounter = 'people'\nsound = 'click'\n",
      "3:1: on = \"refused\" takes no counter: delete line 3"
    ),
    (
      "[[feedback]]\non = 'added'\nsound = 'click'\n[[feedback]]\non = 'added'\nlight = false\n",
      "4:1: feedback on added is described already on line 1"
    ),
    ("feedback = 1\n", "1:12: feedback can be given many times, so it must be written [[feedback]]"),
    ("led = 'LED_CAPS'\n", #"1:7: no input device has a light called "LED_CAPS": did you mean "LED_CAPSL"?"#),
    ("motor = 1\n", "1:9: motor must be a text in quotes, and this is a whole number"),
    ("speaker = ''\n", "1:11: speaker is empty"),
    ("moter = 'x'\n", #"1:1: the file has no "moter": did you mean "motor"?"#),
  ]

  @Test(arguments: wrong) func `a mistake is named with its place and what was probably meant`(
    text: String, complaint: String
  ) {
    let complaints = complaints(text)
    #expect(complaints.count == 1)
    #expect(complaints.first?.hasPrefix("input.toml:\(complaint)") == true, "\(complaints)")
  }

  @Test func `two counters may have feedback of their own`() throws {
    let text = ["people", "dogs"].map { "[[feedback]]\non = \"added\"\ncounter = \"\($0)\"\nsound = \"thud\"\n" }
    #expect(try Configuration(text.joined()).feedback.rules.map(\.counter) == ["people", "dogs"])
  }
}
