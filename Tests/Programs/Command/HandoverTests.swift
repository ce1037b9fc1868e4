import Foundation
import TestKit
import Testing

/// What goes to other programs and other places of the desktop, and comes from them.
@Suite struct `Handing over` {
  let scene: Scene

  init() throws {
    scene = try Scene()
    try FileManager.default.createDirectory(atPath: "\(scene.folder)/bin", withIntermediateDirectories: true)
    try scene.tally("new", "kids", "--title", "Kids & co")
    try scene.tally("add", "kids", "23")
  }

  /// Puts a program of this name along the path, which writes its arguments and what it reads into a file.
  private func stand(for name: String) throws {
    let path = "\(scene.folder)/bin/\(name)"
    let script =
      "#!/bin/sh\nfor word in \"$@\"; do echo \"<$word>\"; done > '\(scene.folder)/heard'\n/bin/cat >> '\(scene.folder)/heard'\n"
    try script.write(toFile: path, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
  }

  private var heard: String { (try? String(contentsOfFile: "\(scene.folder)/heard", encoding: .utf8)) ?? "" }

  private func run(_ arguments: [String], _ more: [String: String] = [:]) throws -> Program.Outcome {
    let own = ["PATH": "\(scene.folder)/bin", "HOME": scene.folder]
    return try Program.run("tally", arguments, scene.environment.merging(own) { $1 }.merging(more) { $1 })
  }

  @Test(arguments: [
    ("wl-copy", "WAYLAND_DISPLAY", ""), ("xclip", "DISPLAY", "<-selection>\n<clipboard>\n"),
    ("xsel", "DISPLAY", "<--clipboard>\n<--input>\n"),
  ])
  func `a report goes into the clipboard of the desktop`(_ program: String, _ display: String, _ words: String) throws {
    try stand(for: program)
    let copied = try run(["report", "--copy"], [display: "x"])
    #expect(copied.output == "Copied with \(program).\n")
    #expect(heard == words + "23 Kids & co\n")
  }

  @Test func `without a desktop the terminal's clipboard gets it, and without a terminal nobody`() throws {
    let refused = try run(["report", "--copy"])
    #expect(refused.code == 1)
    #expect(refused.complaint.contains("wl-clipboard"))
    var environment = scene.environment
    environment["TERM"] = "xterm"
    let line = "'\(Program.path("tally"))' report --copy"
    let seen = try Program.run("/usr/bin/script", ["-qec", line, "/dev/null"], environment)
    let text = Data("23 Kids & co\n".utf8).base64EncodedString()
    #expect(seen.output.contains("\u{1B}]52;c;\(text)\u{07}"))
  }

  @Test func `a report begins a text message in the program of the desktop`() throws {
    let refused = try run(["report", "--text"])
    #expect(refused.code == 1 && refused.complaint.contains("install xdg-utils"))
    try stand(for: "xdg-open")
    #expect(try run(["report", "--text"]).output == "Opened a text message with the report.\n")
    #expect(heard == "<sms:?body=23%20Kids%20%26%20co>\n")
    #expect(try run(["report", "--text", "--copy"]).code == 64)
  }

  @Test func `a report begins a mail in the program of the desktop`() throws {
    let refused = try run(["report", "--mail"])
    #expect(refused.code == 1)
    #expect(refused.complaint.contains("xdg-utils"))
    try stand(for: "xdg-open")
    #expect(try run(["report", "--mail"]).code == 0)
    #expect(heard == "<mailto:?subject=23%20Kids%20%26%20co&body=23%20Kids%20%26%20co%0D%0A>\n")
    try stand(for: "xdg-email")
    #expect(try run(["report", "kids", "--mail"]).output == "Opened a mail with the report.\n")
    #expect(heard == "<--utf8>\n<--subject>\n<23 Kids & co>\n<--body>\n<23 Kids & co\n>\n")
  }

  @Test(arguments: [
    (["--mail"], "This desktop has no mail program that opens a mail. Install one, or copy the report with --copy."),
    (
      ["--text"],
      "This desktop has no program that sends text messages. Install KDE Connect or GSConnect, or copy the report with "
        + "--copy."
    ),
    (
      ["--copy"],
      "There is no clipboard here. On a desktop install wl-clipboard, xclip or xsel; without --copy the report is printed."
    ),
  ])
  func `a desktop without the program is told in one sentence, without the noise of what was tried`(
    _ words: [String], _ sentence: String
  ) throws {
    for name in ["xdg-email", "xdg-open", "wl-copy", "xclip"] {
      let path = "\(scene.folder)/bin/\(name)"
      try "#!/bin/sh\necho '\(name): no method available' >&2\nexit 3\n"
        .write(toFile: path, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }
    let refused = try run(["report"] + words, ["DISPLAY": ":0", "WAYLAND_DISPLAY": "x"])
    #expect(refused.code == 1 && refused.output.isEmpty)
    #expect(refused.complaint == "tally: \(sentence)\n")
  }

  @Test func `bindings go with a set-up on request, and never over others`() throws {
    let (file, place) = ("\(scene.folder)/club.tally", "\(scene.folder)/.config/tallymark/input.toml")
    #expect(try run(["share", "--bindings", "-o", file]).complaint.contains("no input.toml"))
    try FileManager.default.createDirectory(
      atPath: "\(scene.folder)/.config/tallymark", withIntermediateDirectories: true)
    let bindings = "[[bind]] # “links”\ngesture = \"swipe-left\"\ndo = \"undo\"\n"
    try bindings.write(toFile: place, atomically: true, encoding: .utf8)
    #expect(try run(["share", "--bindings", "-o", file]).code == 0)
    let other = try Scene()
    func adopt(_ options: String...) throws -> Program.Outcome {
      try Program.run(
        "tally", ["adopt", file] + options, other.environment.merging(["HOME": other.folder]) { $1 })
    }
    #expect(try adopt("--dry-run", "--bindings").code == 0)
    let there = "\(other.folder)/.config/tallymark/input.toml"
    #expect(!FileManager.default.fileExists(atPath: there))
    #expect(try adopt("--bindings").output.contains("Its bindings were written to \(there)."))
    #expect(try String(contentsOfFile: there, encoding: .utf8) == bindings)
    let again = try adopt("--bindings", "--on-clash", "keep")
    #expect(again.code == 64)
    #expect(again.complaint.contains("already exists"))
    #expect(try adopt("--on-clash", "keep").output.contains("--bindings imports them"))
  }

  @Test func `on a clash what is here can be kept`() throws {
    let (other, file) = (try Scene(), "\(scene.folder)/club.tally")
    try scene.tally("new", "adults")
    try scene.tally("share", "--values", "-o", file)
    try other.tally("new", "kids", "--title", "Others")
    try other.tally("add", "kids")
    #expect(try other.tally("adopt", file, "--on-clash", "keep", "--dry-run").output.hasPrefix("Would import 1 new"))
    let kept = try other.tally("adopt", file, "--on-clash", "keep")
    #expect(kept.code == 0 && kept.output.hasSuffix("Left as here: kids\n"), "\(kept.output)")
    #expect(try other.tally("report").output == "1 Others\n0 adults\n")
    let again = try other.tally("adopt", file, "--on-clash", "keep")
    #expect(again.output.hasPrefix("Nothing to import.\n"), "\(again.output)")
    #expect(try other.tally("verify").code == 0)
  }
}
