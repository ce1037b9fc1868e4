import Csqlite
import Foundation
import TestKit
import Testing
import Varlink

@Suite struct `Reports and backups` {
  let scene: Scene
  var file: String { "\(scene.folder)/copy.tally" }

  init() throws {
    scene = try Scene()
    try scene.tally("new", "kids", "--title", "Kids at the swing")
    try scene.tally("new", "adults")
    try scene.tally("add", "kids", "23")
  }

  @Test func `a report has the count first, a line each`() throws {
    #expect(try scene.tally("report").output == "23 Kids at the swing\n0 adults\n")
    let long = try scene.tally("report", "kids", "--long").lines
    #expect(long.last?.hasPrefix("23 Kids at the swing, at ") == true)
    try scene.tally("group", "new", "park")
    try scene.tally("move", "kids", "--group", "park")
    try scene.tally("formula", "twice", "=", "kids * 2")
    try scene.tally("move", "twice", "--group", "park")
    let all = try scene.tally("report", "--long").lines
    #expect(all[1...2] == ["0 adults", "park"] && all.last == "46 twice", "\(all)")
  }

  @Test func `mail and clipboard take the report, or it is said what is missing`() throws {
    #expect(try scene.tally("report", "--mail").complaint.hasSuffix("or copy the report with --copy.\n"))
    #expect(try scene.tally("report", "--copy").complaint.contains("wl-clipboard, xclip or xsel"))
    try "#!/bin/sh\ncat > '\(scene.folder)/clip'\n".write(
      toFile: "\(scene.folder)/wl-copy", atomically: true, encoding: .utf8)
    try "#!/bin/sh\necho \"$@\" > '\(scene.folder)/mailed'\n".write(
      toFile: "\(scene.folder)/xdg-email", atomically: true, encoding: .utf8)
    for name in ["wl-copy", "xdg-email"] { chmod("\(scene.folder)/\(name)", 0o755) }
    var environment = scene.environment
    environment["PATH"] = "\(scene.folder):/usr/bin:/bin"
    environment["WAYLAND_DISPLAY"] = "wayland-0"
    #expect(try Program.run("tally", ["report", "--copy"], environment).code == 0)
    #expect(try String(contentsOfFile: "\(scene.folder)/clip", encoding: .utf8) == "23 Kids at the swing\n0 adults\n")
    #expect(try Program.run("tally", ["report", "kids", "--mail"], environment).code == 0)
    #expect(try String(contentsOfFile: "\(scene.folder)/mailed", encoding: .utf8).contains("--subject 23 Kids"))
  }

  @Test func `without a journal at the default place the option for another is named`() throws {
    let environment = scene.environment.merging(["XDG_STATE_HOME": "\(scene.folder)/none"]) { $1 }
    for arguments in [["verify"], ["backup", file]] {
      let outcome = try Program.run("tally", arguments, environment)
      #expect(outcome.code == 1)
      #expect(outcome.complaint.hasSuffix("at the default place; name the core's folder with --state FOLDER.\n"))
      let named = try Program.run("tally", arguments + ["--state", "\(scene.folder)/none"], environment)
      #expect(named.code == 1 && !named.complaint.contains("--state"))
    }
    #expect(!(try Program.run("tally", ["verify", "\(scene.folder)/none"], environment).complaint.contains("--state")))
  }

  @Test func `a backup of a running core is restored to what it was, and what was there is kept`() throws {
    #expect(try scene.tally("backup", file).code == 0)
    #expect(
      try scene.tally("backup", file).complaint
        == "tally: \(file) exists already. Choose another name, or replace it with --force.\n")
    #expect(try scene.tally("backup", file, "--force").output == "Wrote the backup \(file).\n")
    for other in ["\(scene.folder)/state/tallymark/counters.sqlite", scene.folder, "/dev/null"] {
      let refused = try scene.tally("backup", other, "--force")
      #expect(refused.code == 1 && refused.complaint.contains("is not the file of a backup"), "\(other)")
    }
    #expect(try scene.tally("verify", file).code == 0)
    try scene.tally("add", "kids")
    #expect(try scene.tally("restore", file).complaint.contains("Another tallyd uses"))
    scene.stopCore()
    let restored = try scene.tally("restore", file)
    #expect(restored.output.contains("counters.sqlite.before-restore"))
    try scene.startCore()
    #expect(try scene.tally("report", "kids").output == "23 Kids at the swing\n")
    #expect(try scene.tally("verify", "\(scene.folder)/state/tallymark/counters.sqlite.before-restore").code == 0)
  }

  @Test func `a journal whose values are not what its events add up to is told of, and not restored`() throws {
    for _ in 0..<300 { try scene.call("Add", ["name": "kids"]) }
    try scene.tally("backup", file)
    var database: OpaquePointer?
    #expect(sqlite3_open(file, &database) == SQLITE_OK)
    let change =
      "UPDATE event SET change = change + 1 WHERE sequence = 40; UPDATE standing SET value = 7 WHERE counter = 1"
    #expect(sqlite3_exec(database, change, nil, nil, nil) == SQLITE_OK)
    sqlite3_close(database)
    let found = try scene.tally("verify", file)
    #expect(found.code == 1)
    #expect(found.output.contains("Event 40 does not fit the events before it: "))
    #expect(found.output.contains("“kids” is saved as 7 after event 256; its events add up to"))
    #expect(found.output.contains("The totals of counter 1"))
    #expect(try scene.tally("verify").output == "Every value matches its events.\n")
    scene.stopCore()
    #expect(try scene.tally("restore", file).complaint.contains("was not restored"))
    #expect(try scene.tally("verify", "/etc/passwd").code == 1)
  }
}
