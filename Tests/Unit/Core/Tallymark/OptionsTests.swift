import Tallymark
import Testing

struct OptionsTests {
  private func parse(_ words: String...) throws -> Options {
    try Options(words, flags: ["json", "help"], valued: ["socket"])
  }

  @Test func `flags, values and words are sorted`() throws {
    let options = try parse("devices", "--json", "--socket", "/a", "more")
    #expect(options.words == ["devices", "more"])
    #expect(options.has("json") && !options.has("help"))
    #expect(options.value(of: "socket") == "/a")
    #expect(try parse("--socket=/a=b").value(of: "socket") == "/a=b")
    #expect(try parse("-h").has("help"))
  }

  @Test func `after two dashes nothing is an option`() throws {
    #expect(try parse("--", "--json", "-").words == ["--json", "-"])
  }

  @Test(arguments: [
    (["--nonsense"], "There is no option --nonsense."), (["-j"], "There is no option -j."),
    (["--socket"], "--socket needs a value."), (["--socket="], "--socket needs a value."),
    (["--json=1"], "--json takes no value."),
    (["--socket", "/a", "--socket=/b"], "--socket is given twice, and takes one value."),
  ])
  func `what makes no sense is said in a sentence`(words: [String], sentence: String) {
    #expect(throws: UsageError(sentence)) { try Options(words, flags: ["json"], valued: ["socket"]) }
  }
}
