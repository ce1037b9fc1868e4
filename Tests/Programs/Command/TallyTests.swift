import Foundation
import TestKit
import Testing

@Suite struct `The command line` {
  let scene: Scene

  init() throws { scene = try Scene() }

  @Test func `counts with a person's words in and out`() throws {
    #expect(
      try scene.tally("new", "people", "--title", "People at the door", "--step", "2").output == "0 people (created)\n")
    #expect(try scene.tally("add", "people").output == "2 people\n")
    #expect(try scene.tally("add", "people", "40").output == "42 people\n")
    #expect(try scene.tally("subtract", "people", "1").output == "41 people\n")
    #expect(try scene.tally().output == "▸ 41  people  People at the door\n")
    #expect(try scene.tally("undo").output == "42 people (undid −1 by tally)\n")
    #expect(try scene.tally("remove", "people").output == "Removed people, which stood at 42.\n")
    #expect(try scene.tally("undo").output == "people is back, at 42.\n")
    try scene.tally("new", "dogs")
    #expect(try scene.tally("undo").output.hasPrefix("dogs was removed"))
    try scene.tally("remove", "people")
    #expect(try scene.tally("show").output.hasPrefix("There is no counter yet. Create one: tally new people\n"))
  }

  @Test func `goes from counter to counter`() throws {
    for name in ["a", "b"] { try scene.tally("new", name) }
    #expect(try scene.tally("next").output == "Gestures now count b, which stands at 0.\n")
    #expect(try scene.tally("previous").output == "Gestures now count a, which stands at 0.\n")
  }

  @Test func `resets when it is asked twice, or at once for a script`() throws {
    try scene.tally("new", "people", "--start", "5")
    try scene.tally("add", "people", "3")
    let asked = try scene.tally("reset", "people").output
    #expect(asked == "people is at 8. To reset it, repeat the command within 60 seconds.\n")
    #expect(try scene.tally("reset", "people").output == "5 people (reset −3)\n")
    #expect(try scene.tally("undo").output == "8 people (undid the reset −3 by tally)\n")
    #expect(try scene.tally("redo").output == "5 people (redid the reset −3 by tally)\n")
    #expect(try scene.tally("correct", "people", "--", "-2").output == "−2 people (corrected −7)\n")
    #expect(try scene.tally("reset", "people", "--yes").output == "5 people (reset +7)\n")
  }

  @Test func `prints one object a line with --json`() throws {
    try scene.tally("new", "people", "--title", "People")
    let added = try #require(try scene.tally("add", "people", "--json").objects.first)
    #expect(added["value"] as? Int == 1)
    #expect(added["sequence"] as? Int == 2)
    let shown = try #require(try scene.tally("show", "people", "--json").objects.first)
    #expect(shown["name"] as? String == "people")
    #expect(shown["title"] as? String == "People")
    #expect(shown["value"] as? Int == 1)
    let events = try scene.tally("history", "people", "--json").objects
    #expect(events.map { $0["change"] as? Int } == [0, 1])
    for event in events {
      #expect(event["title"] as? String == "People")
      #expect((event["cause"] as? [String: String])?["producer"] == "tally")
      let time = try #require(event["time"] as? String)
      #expect(time.hasSuffix("+05:30"))
      let formatter = ISO8601DateFormatter()
      formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
      let parsed = try #require(formatter.date(from: time))
      #expect(abs(parsed.timeIntervalSinceNow) < 60)
    }
  }

  @Test func `watches: the state first, then each change with its cause`() throws {
    try scene.tally("new", "people", "--start", "3")
    let watching = try Program.start("tally", ["watch", "people", "--json"], scene.environment, takesSignals: true)
    let handle = watching.output.fileHandleForReading
    var seen = ""
    func read(until text: String) throws {
      while !seen.contains(text) {
        let more = handle.availableData
        // A program that has ended says nothing more.
        try #require(!more.isEmpty, "\(seen)")
        seen += String(decoding: more, as: UTF8.self)
      }
    }
    try read(until: "\n")
    try scene.tally("add", "people")
    try read(until: "added")
    watching.process.terminate()
    let lines = seen.split(separator: "\n")
    #expect(
      lines.first
        == #"{"state":true,"name":"people","title":"people","value":3,"start":3,"step":1,"current":true,"id":1}"#)
    #expect(lines.last?.contains(#""kind":"added","name":"people","title":"people","change":1,"value":4"#) == true)
    #expect(lines.last?.contains(#""cause":{"producer":"tally"}"#) == true)
  }

  @Test func `watches on when the core has started again, with the kind of each counter`() throws {
    try scene.tally("new", "anna", "--stopwatch")
    try scene.tally("new", "people")
    let watching = try Program.start("tally", ["watch", "--json"], scene.environment, takesSignals: true)
    defer { watching.process.terminate() }
    let handle = watching.output.fileHandleForReading
    var seen = ""
    func read(until text: String) throws {
      while !seen.contains(text) {
        let more = handle.availableData
        try #require(!more.isEmpty, "\(seen)")
        seen += String(decoding: more, as: UTF8.self)
      }
    }
    try read(until: "people")
    #expect(seen.contains(#"{"state":true,"name":"anna""#) && seen.contains(#""kind":"stopwatch""#))
    scene.stopCore()
    try scene.startCore()
    seen = ""
    try read(until: #""state":true"#)
    try scene.tally("add", "people")
    try read(until: #""kind":"added""#)
  }

  @Test(arguments: [["watch"], ["watch", "people"], ["watch", "people", "--json"]])
  func `tells once what was changed before it found the core again`(_ words: [String]) throws {
    try scene.tally("new", "people")
    let watching = try Program.start("tally", words, scene.environment, takesSignals: true)
    defer { watching.process.terminate() }
    var seen = ""
    func read(until text: String, from pipe: Pipe) throws {
      while !seen.contains(text) {
        let more = pipe.fileHandleForReading.availableData
        try #require(!more.isEmpty, "\(seen)")
        seen += String(decoding: more, as: UTF8.self)
      }
    }
    try read(until: "people", from: watching.output)
    try scene.tally("add", "people", "50")
    try read(until: "50", from: watching.output)
    scene.stopCore(SIGKILL)
    try read(until: "Waiting until it runs again.", from: watching.complaint)
    kill(watching.process.processIdentifier, SIGSTOP)
    try scene.startCore()
    for amount in ["3", "40"] { try scene.tally("add", "people", amount) }
    try scene.tally("undo")
    kill(watching.process.processIdentifier, SIGCONT)
    seen = ""
    try scene.tally("add", "people", "700")
    try read(until: words.contains("--json") ? #""value":753,"# : "753", from: watching.output)
    if words.contains("--json") {
      let kinds = seen.split(separator: "\n").compactMap { $0.firstMatch(of: /"kind":"(added|undone)"/)?.1 }
      #expect(kinds.prefix(3) == ["added", "added", "undone"] && kinds.count <= 4, "\(seen)")
    } else {
      #expect(seen.contains("+3") && seen.contains("+40") && !seen.contains("+50"), "\(seen)")
      #expect(seen.ranges(of: "+40").count <= 2 && seen.ranges(of: "+3").count == 1, "\(seen)")
    }
  }

  @Test(arguments: [["watch"], ["show"]])
  func `never writes its text into the core's socket where standard output is closed`(_ words: [String]) throws {
    try scene.tally("new", "people")
    let outcome = try Program.run(
      "/bin/sh", ["-c", "exec \"$0\" \"$@\" >&-", Program.path("tally")] + words, scene.environment)
    #expect(outcome.code == 74)
    #expect(outcome.complaint == "tally: could not print: Bad file descriptor\n")
  }

  @Test func `the last events alone are shown when asked for, oldest first`() throws {
    try scene.tally("new", "people")
    for _ in 0..<3 { try scene.tally("add", "people") }
    #expect(try scene.tally("history", "--last", "2", "--json").objects.map { $0["value"] as? Int } == [2, 3])
    #expect(try scene.tally("history", "--last", "0").code == 64)
  }

  @Test func `says with code 1 why the core refused, and with --json the name of the error`() throws {
    try scene.tally("new", "people")
    for (arguments, name, sentence) in [
      (["add", "dogs"], "NoSuchCounter", "There is no counter called “dogs”."),
      (["new", "people"], "CounterExists", "There is already a counter called “people”."),
      (["new", "a b"], "BadName", "“a b” is not a valid name"),
      (["add", "people", "0"], "BadAmount", "An amount or a step must be above 0."),
      (
        ["new", "home", "--group", "score"], "NoSuchGroup",
        "There is no group called “score”. Create it with: tally group new score"
      ),
    ] {
      let outcome = try Program.run("tally", arguments, scene.environment)
      #expect(outcome.code == 1)
      #expect(outcome.output == "")
      #expect(outcome.complaint.hasPrefix("tally: \(sentence)"), "\(outcome.complaint)")
      let named = try Program.run("tally", arguments + ["--json"], scene.environment)
      #expect(named.complaint.hasPrefix("tally: org.tallymark.Counters.\(name): \(sentence)"), "\(named.complaint)")
    }
    #expect(try scene.tally("history", "--json").objects.count == 1)
  }

  @Test(arguments: [
    ["correct", "people"], ["add", "people", "many"], ["frobnicate", "x", "--y"], ["--socket"], ["new", "a", "--step"],
  ])
  func `ends with code 64 where it is used wrongly`(_ arguments: [String]) throws {
    #expect(try Program.run("tally", arguments, scene.environment).code == 64)
  }

  @Test func `a verb without a name means the current counter, and a number alone is an amount`() throws {
    try scene.tally("new", "people")
    try scene.tally("new", "dogs")
    for (words, output) in [
      (["add"], "1 people"), (["add", "5"], "6 people"), (["subtract"], "5 people"), (["subtract", "2"], "3 people"),
      (["+"], "4 people"), (["+", "2"], "6 people"), (["+5"], "11 people"), (["-"], "10 people"), (["-3"], "7 people"),
      (["+", "dogs", "2"], "2 dogs"), (["correct", "12"], "12 people (corrected +5)"),
      (["reset"], "people is at 12. To reset it, repeat the command within 60 seconds."),
      (["reset"], "0 people (reset −12)"),
    ] {
      #expect(try Program.run("tally", words, scene.environment).output == "\(output)\n", "\(words)")
    }
    #expect(try scene.tally("status").output == scene.tally("show").output)
  }

  @Test func `a count in the future is refused with a reason`() throws {
    try scene.tally("new", "people")
    let outcome = try scene.tally("add", "people", "--at", "2099-01-01")
    #expect(outcome.code == 64)
    #expect(
      outcome.complaint == "tally: “2099-01-01” is in the future; a count must have a time that has passed.\n")
  }

  @Test func `takes a value below nothing after a space, as any other value`() throws {
    #expect(
      try scene.tally("new", "depth", "--start", "-5", "--title", "-5 to begin with").output == "−5 depth (created)\n")
  }

  @Test func `ends with code 74 and a sentence where its output cannot be written, with 0 where nobody reads on`()
    throws
  {
    try scene.tally("new", "people")
    func end(_ line: String) throws -> Program.Outcome {
      try Program.run("/bin/sh", ["-c", line, Program.path("tally")], scene.environment)
    }
    let full = try end("exec \"$0\" history > /dev/full")
    #expect(full.code == 74)
    #expect(full.complaint == "tally: could not print: No space left on device\n")
    let early = try end("{ \"$0\" history; echo $? >&2; } | true")
    #expect(early.complaint == "0\n")
  }

  @Test func `completes the counters of the core that the line names`() throws {
    try scene.tally("new", "people")
    func complete(_ words: String..., in environment: [String: String]) throws -> String {
      let words = ["---completion", "add", "--", "positional@0", "\(words.count - 1)", "0"] + words
      return try Program.run("tally", words, environment).output
    }
    #expect(try complete("tally", "add", "", in: scene.environment) == "people\n")
    #expect(try complete("tally", "add", "--socket", scene.socket, "", in: [:]) == "people\n")
    #expect(try complete("tally", "--socket=\(scene.socket)", "add", "", in: [:]) == "people\n")
  }

  @Test func `ends with code 69 where no core is, and says where it looked and how to start one`() throws {
    scene.stopCore()
    let outcome = try scene.tally("show")
    #expect(outcome.code == 69)
    #expect(outcome.complaint.contains(scene.socket))
    #expect(outcome.complaint.contains("Start one with “tallyd”"))
    #expect(outcome.complaint.hasSuffix(" “tally doctor” finds out what is wrong.\n"))
    let elsewhere = try Program.run("tally", ["show", "--socket", "/nowhere/x"], scene.environment)
    #expect(elsewhere.complaint.contains("/nowhere/x: No such file or directory"))
    #expect(!elsewhere.complaint.contains(scene.socket))
  }

  @Test(.enabled(if: geteuid() == 0, "only root can run a program as another user"))
  func `advises no second core where the socket is not for this user`() throws {
    func asNobody(_ words: String) throws -> Program.Outcome {
      try Program.run("/bin/su", ["nobody", "-s", "/bin/sh", "-c", "'\(Program.path("tally"))' \(words)"])
    }
    // The program may be in a folder that nobody else can enter.
    guard try asNobody("--version").code == 0 else { return }
    chmod("\(scene.folder)/run", 0)
    defer { chmod("\(scene.folder)/run", 0o755) }
    let refused = try asNobody("show --socket '\(scene.socket)'")
    #expect(refused.code == 69)
    #expect(refused.complaint.contains("Permission denied\nAsk the owner of the socket for access, or give the path"))
  }

  @Test func `takes what every verb takes before the verb as well, and shows the counters without one`() throws {
    try scene.tally("new", "people")
    for arguments in [
      ["--json", "show"], ["--json"], ["--socket", scene.socket, "--json"],
      ["--socket=\(scene.socket)", "show", "--json"],
    ] {
      #expect(
        try Program.run("tally", arguments, ["TALLYMARK_SOCKET": scene.socket]).objects.count == 1, "\(arguments)")
    }
    #expect(try scene.tally("people").code == 64)
    #expect(try scene.tally("--version").output.hasPrefix("tally "))
    #expect(try scene.tally("--help").code == 0)
  }

  @Test func `never colours what is not read on a terminal`() throws {
    try scene.tally("new", "people")
    #expect(try !scene.tally("show").output.contains("\u{1B}"))
    #expect(try !scene.tally("history").output.contains("\u{1B}"))
  }

  @Test(arguments: ["bash", "zsh", "fish"]) func `completes in each shell`(_ shell: String) throws {
    let script = try scene.tally("--generate-completion-script", shell)
    #expect(script.code == 0)
    #expect(script.output.contains("subtract"))
  }
}
