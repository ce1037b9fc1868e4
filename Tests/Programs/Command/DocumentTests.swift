import Foundation
import TestKit
import Testing

/// The examples of the documents: each block that begins with “```console” is typed, and must print what it shows.
@Suite struct `Examples in the documents` {
  private struct Step {
    let command: String
    var output: [String] = []
  }

  private static let project = URL(fileURLWithPath: Checkout.folder)

  /// The commands of a document, with what they print. A command goes on in lines that begin with four spaces.
  private static func steps(in document: String) throws -> [Step] {
    let text = try String(contentsOf: project.appendingPathComponent(document), encoding: .utf8)
    var steps: [Step] = []
    for block in text.components(separatedBy: "```console\n").dropFirst() {
      for line in (block.components(separatedBy: "\n```").first ?? "").split(separator: "\n") {
        if line.hasPrefix("$ ") {
          steps.append(Step(command: String(line.dropFirst(2))))
        } else if let last = steps.last, last.output.isEmpty, last.command.hasSuffix("|") {
          steps[steps.count - 1] = Step(command: "\(last.command)\n\(line)")
        } else if !steps.isEmpty {
          steps[steps.count - 1].output.append(String(line))
        }
      }
    }
    return steps
  }

  /// The line with each date and each time of day replaced.
  private static func timeless(_ line: String) -> String {
    line.replacing(/\d{4}-\d\d-\d\d/, with: "DATE").replacing(/\d\d:\d\d(:\d\d)?/, with: "TIME")
  }

  @Test func `make run builds each program that it starts`() throws {
    let script = try String(contentsOf: Self.project.appendingPathComponent("scripts/run"), encoding: .utf8)
    let makefile = try String(contentsOf: Self.project.appendingPathComponent("Makefile"), encoding: .utf8)
    let package = try String(contentsOf: Self.project.appendingPathComponent("Package.swift"), encoding: .utf8)
    let recipe = try #require(makefile.firstMatch(of: /\nrun:.*\n((?:\t.*\n)+)/)).1
    let targets = try #require(recipe.firstMatch(of: /--target (\S+).*\n(?:.*\n)*.*--product ([a-z-]+)/))
    let target = try #require(package.components(separatedBy: "name: \"\(targets.1)\"").dropFirst().first)
    let dependencies = try #require(target.firstMatch(of: /dependencies: \[(.*?)\]/)).1
    let built = Set(dependencies.matches(of: /"([a-z-]+)"/).map { String($0.1) }).union([String(targets.2)])
    let started = Set(script.matches(of: /\$bin\/([a-z-]+)/).map { String($0.1) })
    #expect(started.count >= 4)
    #expect(started.isSubset(of: built))
  }

  @Test func `the terminal's own keys count as the README shows for make run`() throws {
    let scene = try Scene()
    let text = try String(contentsOf: Self.project.appendingPathComponent("README.md"), encoding: .utf8)
    let shown = try #require(text.components(separatedBy: "\nInput devices:\n").last)
    let block = try #require(shown.components(separatedBy: "\n```").first)
    let lines = block.components(separatedBy: "\n")
    let keys = try #require(lines.first { $0.hasPrefix("Keys: ") })
    let value = try #require(lines.first { $0.hasPrefix("▸ ") })
    // The newest stands first.
    let events = lines.compactMap { $0.firstMatch(of: /^\d\d:\d\d:\d\d(  .*)$/).map { String($0.1) } }.reversed()
    #expect(events.count == 5)
    var environment = scene.environment
    environment["XDG_RUNTIME_DIR"] = scene.folder
    environment["HOME"] = scene.folder
    let watching = try TerminalSession("exec '\(Program.path("tally"))' watch", environment, rows: 50)
    try watching.read(until: "There is no counter yet")
    let daemon = try TerminalSession("exec '\(Program.path("tally-inputd"))' --terminal", environment, rows: 50)
    try daemon.read(until: keys)
    var rest = Array(events)[...]
    for key in [" ", "\r", "-", "u"] {
      try daemon.type(key)
      // The first key creates the counter as well; a drawing has the newest event above it.
      let count = key == " " ? 2 : 1
      let shown = rest.prefix(count)
      rest = rest.dropFirst(count)
      for event in shown.reversed() { try watching.read(until: event) }
    }
    try watching.read(until: value)
    try daemon.type("q")
    #expect(daemon.end() == 0)
    try watching.type("q")
    #expect(watching.end() == 0)
  }

  @Test(arguments: ["README.md", "Documentation/counting.md", "Documentation/programs.md"])
  func `print what they show`(_ document: String) throws {
    let scene = try Scene()
    let steps = try Self.steps(in: document)
    #expect(!steps.isEmpty)
    let runtime = "\(scene.folder)/runtime"
    try FileManager.default.createDirectory(atPath: "\(runtime)/tallymark", withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: "\(runtime)/tallymark/tallymark.sock", withDestinationPath: scene.socket)
    let folder = URL(fileURLWithPath: Program.path("tally")).deletingLastPathComponent().path
    var environment = scene.environment
    environment["PATH"] = "\(folder):/usr/bin:/bin"
    environment["XDG_RUNTIME_DIR"] = runtime
    environment["COLUMNS"] = "80"
    for step in steps {
      let outcome = try Program.run("/bin/bash", ["-c", "{ \(step.command)\n} 2>&1"], environment)
      #expect(outcome.lines.map(Self.timeless) == step.output.map(Self.timeless), "\(step.command)")
    }
  }

  @Test func `the tests that the table of demands names are there`() throws {
    let tests = Self.project.appendingPathComponent("Tests")
    let files = try #require(FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil))
    var sources = ""
    for case let file as URL in files where ["swift", "py", "session"].contains(file.pathExtension) {
      sources += try String(contentsOf: file, encoding: .utf8)
    }
    let table = try String(contentsOf: tests.appendingPathComponent("Programs/Demands/demands.md"), encoding: .utf8)
    let parts = table.components(separatedBy: "## Defects that a review found")
    try #require(parts.count == 2)
    let names =
      parts[1].matches(of: /`([^`]+)`/).map { String($0.1) } + parts[0].matches(of: /“([^”]+)”/).map { String($0.1) }
    #expect(names.count > 42)
    for name in names {
      #expect(sources.contains(name.trimmingCharacters(in: .whitespaces)), "\(name)")
    }
  }
}
