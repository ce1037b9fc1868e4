import Counting
import Testing

@Suite struct `Names of counters` {
  @Test(arguments: [
    "a", "people", "Kinder-2", "1st", "x_y.z", "Zähler", "людей", "人数", String(repeating: "n", count: 64),
  ])
  func `letters of any script, digits and three signs make a name`(_ text: String) throws {
    #expect(try CounterName(text).text == text)
  }

  @Test(arguments: [
    ("", "it is empty"),
    ("a b", "it may only contain letters, digits, “-”, “_” and “.”"),
    ("a/b", "it may only contain letters, digits, “-”, “_” and “.”"),
    ("a\n", "it may only contain letters, digits, “-”, “_” and “.”"),
    ("-a", "it must begin with a letter or a digit"),
    ("🐑", "it must begin with a letter or a digit"),
    ("12", "it must contain at least one letter"),
    ("1.5", "it must contain at least one letter"),
    (String(repeating: "n", count: 65), "it is longer than 64 characters"),
  ])
  func `anything else is refused with the rule that it breaks`(_ text: String, _ reason: String) {
    #expect(throws: CountingError.badName(String(text.prefix(64)).replacing("\n", with: "\u{FFFD}"), reason: reason)) {
      try CounterName(text)
    }
  }

  @Test func `a title is one line of at most 200 characters`() throws {
    var ledger = Ledger()
    for (title, reason) in [
      ("", "it is empty"), (" ", "it is empty"), ("\u{200B}", "it is empty"), ("\u{FEFF} \u{2060}", "it is empty"),
      ("\u{2028}", "it is empty"),
      ("a\nb", "it contains a control character"),
    ] {
      #expect(throws: CountingError.badTitle(reason: reason)) {
        try ledger.perform(.create(name: "a", title: title, start: 0, step: 1), at: 0, cause: Cause(producer: "test"))
      }
    }
    let long = String(repeating: "t", count: 201)
    #expect(throws: CountingError.badTitle(reason: "it is longer than 200 characters")) {
      try ledger.perform(.create(name: "a", title: long, start: 0, step: 1), at: 0, cause: Cause(producer: "test"))
    }
  }
}
