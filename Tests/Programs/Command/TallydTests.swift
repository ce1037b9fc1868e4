import Csqlite
import Foundation
import TestKit
import Testing
import Varlink

@Suite struct `The core as a program` {
  @Test func `keeps what was counted when it is ended, and when it is killed`() throws {
    let scene = try Scene()
    try scene.tally("new", "people")
    for (signal, value) in [(SIGTERM, 1), (SIGKILL, 2)] {
      try scene.tally("add", "people")
      scene.stopCore(signal)
      try scene.startCore()
      #expect(try scene.tally("show", "--json").objects.first?["value"] as? Int == value)
    }
  }

  @Test func `survives a limit for the size of files, and counts on once it is lifted`() throws {
    let scene = try Scene()
    try scene.call("Create", ["name": "people"])
    try scene.limitFiles(to: 300_000)
    var counted: Int64 = 0
    let refusal = try #require(
      throws: VarlinkError.self,
      performing: {
        while counted < 10_000 {
          try scene.call("Add")
          counted += 1
        }
      })
    #expect("\(refusal)".contains("has reached the largest size that this process may write"), "\(refusal)")
    #expect(try scene.call("Get")["counter"]?.object?["value"]?.int == counted)
    try scene.limitFiles(to: nil)
    try Wait.until("it counts again") { (try? scene.call("Add")) != nil }
    #expect(try scene.call("Get")["counter"]?.object?["value"]?.int == counted + 1)
  }

  @Test func `takes its socket away when it ends, and replaces one that a killed core left behind`() throws {
    let scene = try Scene()
    scene.stopCore()
    #expect(!FileManager.default.fileExists(atPath: scene.socket))
    try scene.startCore()
    scene.stopCore(SIGKILL)
    #expect(FileManager.default.fileExists(atPath: scene.socket))
    try scene.startCore()
    #expect(try scene.tally("show").code == 0)
  }

  @Test func `refuses a socket that another core serves, and a folder that another core has`() throws {
    let scene = try Scene()
    let socket = try Program.run("tallyd", ["--state", "\(scene.folder)/other"], scene.environment)
    #expect(socket.code == 1)
    #expect(socket.complaint.contains("Another program is listening on \(scene.socket)"))
    let folder = try Program.run("tallyd", ["--socket", "\(scene.folder)/other.sock"], scene.environment)
    #expect(folder.code == 1)
    #expect(folder.complaint.contains("Another tallyd uses \(scene.folder)/state/tallymark"))
    #expect(!FileManager.default.fileExists(atPath: "\(scene.folder)/other.sock"))
    #expect(try scene.tally("show").code == 0)
  }

  @Test func `never touches a file that is no socket`() throws {
    let scene = try Scene(withCore: false)
    let path = "\(scene.folder)/precious"
    try "data".write(toFile: path, atomically: true, encoding: .utf8)
    let outcome = try Program.run("tallyd", ["--socket", path], scene.environment)
    #expect(outcome.code == 1)
    #expect(outcome.complaint.contains("\(path) is not a socket"))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "data")
  }

  @Test func `names the folder that cannot be made, not one below it`() throws {
    let scene = try Scene(withCore: false)
    try "".write(toFile: "\(scene.folder)/file", atomically: true, encoding: .utf8)
    for (state, culprit) in [("file/a/b", "file/a cannot be used"), ("file", "file/lock cannot be used")] {
      let outcome = try Program.run("tallyd", ["--state", "\(scene.folder)/\(state)"], scene.environment)
      #expect(outcome.code == 1)
      #expect(outcome.complaint == "tallyd: \(scene.folder)/\(culprit) for the journal: Not a directory.\n")
    }
    // Root may write everywhere but where nobody may.
    let outcome = try Program.run("tallyd", ["--state", "/proc/a/b"], scene.environment)
    #expect(outcome.complaint == "tallyd: /proc/a cannot be used for the journal: No such file or directory.\n")
  }

  @Test func `says once what keeps it from writing, and when that is over`() throws {
    let scene = try Scene(withCore: false)
    let core = try Program.start("tallyd", [], scene.environment)
    try Wait.until("the core serves") { try scene.tally("show").code == 0 }
    try scene.tally("new", "people")
    var other: OpaquePointer?
    #expect(sqlite3_open("\(scene.folder)/state/tallymark/counters.sqlite", &other) == SQLITE_OK)
    defer { sqlite3_close(other) }
    #expect(sqlite3_exec(other, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK)
    for _ in 0..<3 { #expect(try scene.tally("add", "people").code == 1) }
    #expect(sqlite3_exec(other, "COMMIT", nil, nil, nil) == SQLITE_OK)
    #expect(try scene.tally("add", "people").output == "1 people\n")
    core.process.terminate()
    let said = try core.outcome().complaint.split(separator: "\n")
    #expect(said.count == 2)
    #expect(said.first?.hasSuffix("counters.sqlite; close that program, then try again.") == true)
    #expect(said.last == "The journal accepts changes again.")
  }

  @Test func `keeps its files to their owner`() throws {
    let scene = try Scene()
    try scene.tally("new", "people")
    let folder = "\(scene.folder)/state/tallymark"
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
      #expect((attributes[.posixPermissions] as? Int).map { $0 & 0o077 } == 0, "\(name)")
    }
  }

  @Test(arguments: [["--frobnicate"], ["extra"], ["--socket"], ["--state="]])
  func `ends with code 64 where it is used wrongly, with a sentence`(_ arguments: [String]) throws {
    let outcome = try Program.run("tallyd", arguments, [:])
    #expect(outcome.code == 64)
    #expect(outcome.complaint.contains("See tallyd --help."))
  }

  @Test func `says what is missing where there is no place for its files`() throws {
    let outcome = try Program.run("tallyd", ["--socket", "/tmp/x"], [:])
    #expect(outcome.code == 64)
    #expect(outcome.complaint.contains("HOME is not set; give --state DIR."))
  }

  @Test func `state goes where systemd says, if it says so, and else to the person's own folder`() throws {
    let scene = try Scene(withCore: false)
    for (variable, place) in [
      ("STATE_DIRECTORY", "given"), ("XDG_STATE_HOME", "given/tallymark"), ("HOME", "given/.local/state/tallymark"),
    ] {
      let base = "\(scene.folder)/\(variable)"
      let socket = "\(base).sock"
      let running = try Program.start("tallyd", ["--socket", socket], [variable: "\(base)/given"])
      try Wait.until("the journal in \(place) exists") {
        FileManager.default.fileExists(atPath: "\(base)/\(place)/counters.sqlite")
      }
      running.process.terminate()
      #expect(try running.outcome().code == 0)
    }
  }

  @Test func `a journal of a newer version is refused and left alone`() throws {
    let scene = try Scene()
    scene.stopCore()
    let file = "\(scene.folder)/state/tallymark/counters.sqlite"
    var other: OpaquePointer?
    #expect(sqlite3_open(file, &other) == SQLITE_OK)
    #expect(sqlite3_exec(other, "PRAGMA user_version = 99", nil, nil, nil) == SQLITE_OK)
    #expect(sqlite3_close(other) == SQLITE_OK)
    let before = try Data(contentsOf: URL(fileURLWithPath: file))
    let outcome = try Program.run("tallyd", [], scene.environment)
    #expect(outcome.code == 1)
    #expect(outcome.complaint.contains("newer version of tallyd (schema 99"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == before)
  }

  @Test func `when the disk takes no more, writing stops by name, reading goes on, and nothing answered is lost`()
    throws
  {
    let scene = try Scene(withCore: false)
    // No file may grow beyond 300 blocks of 512 or 1024 bytes: the write-ahead log meets that first.
    let limited = try Program.start(
      "/bin/sh", ["-c", "ulimit -f 300; trap '' XFSZ; exec \"$0\"", Program.path("tallyd")], scene.environment)
    try Wait.until("the core serves") { try scene.tally("show").code == 0 }
    try scene.tally("new", "people")
    var counted = 0
    var refusal = ""
    while refusal.isEmpty, counted < 2000 {
      let outcome = try scene.tally("add", "people")
      if outcome.code == 0 { counted += 1 } else { refusal = outcome.complaint }
    }
    #expect(refusal.contains("counters.sqlite"), "\(refusal)")
    #expect(try scene.tally("show", "--json").objects.first?["value"] as? Int == counted)
    #expect(try scene.tally("history", "--last", "1", "--json").objects.first?["value"] as? Int == counted)
    #expect(try scene.tally("add", "people").code == 1)
    limited.process.terminate()
    #expect(try limited.outcome().complaint.contains("counters.sqlite"))
    try scene.startCore()
    #expect(try scene.tally("add", "people").output == "\(counted + 1) people\n")
  }
}
