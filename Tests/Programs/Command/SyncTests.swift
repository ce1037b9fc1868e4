import Foundation
import TestKit
import Testing

/// The names that programs give to files, and what they sync: what they said to have written is there after a power cut.
@Suite struct `What was written is synced` {
  let scene: Scene

  init() throws {
    scene = try Scene()
    try scene.tally("new", "people")
    try scene.tally("add", "people", "3")
  }

  private var log: String { "\(scene.folder)/calls" }

  /// Starts a program whose calls are noted.
  private func start(_ program: String, _ words: [String], _ options: String...) throws -> Program.Running {
    let trace = [
      "-f", "-y", "-qq", "-o", log, "-e", "trace=/^(f(data)?sync|rename(at2?)?|link(at)?|mkdir(at)?|openat?)$",
    ]
    return try Program.start(
      "/usr/bin/strace", options + trace + [Program.path(program)] + words, scene.environment)
  }

  /// The calls that were noted, in order: “name” and “sync”, each with a path.
  private func calls() throws -> [String] {
    try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").compactMap(Self.call)
  }

  /// The calls of a program that ends by itself.
  private func calls(_ program: String, _ words: [String]) throws -> [String] {
    let outcome = try start(program, words).outcome()
    #expect(outcome.code == 0, "\(outcome.complaint)")
    return try calls()
  }

  /// `12 renameat(5</x>, "new", 5</x>, "old") = 0` is “name /x/old”.
  private static func call(_ line: Substring) -> String? {
    guard !line.contains(" = -1 "), let open = line.firstIndex(of: "(") else { return nil }
    let name = line[..<open].split(separator: " ").last ?? ""
    // The result of a call that opens a file has its path as well.
    let end = line.range(of: ") = ", options: .backwards)?.lowerBound ?? line.endIndex
    let rest = line[line.index(after: open)..<end]
    func folders() -> [Substring] {
      rest.split(separator: "<", omittingEmptySubsequences: false).dropFirst().compactMap {
        $0.split(separator: ">").first
      }
    }
    if name == "fsync" || name == "fdatasync" { return folders().first.map { "sync \($0)" } }
    let texts = rest.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
      .filter { !$0.offset.isMultiple(of: 2) }.map(\.element)
    guard !name.hasPrefix("open") || rest.contains("O_CREAT"), let text = texts.last else { return nil }
    if text.hasPrefix("/") { return "name \(text)" }
    return folders().last { _ in true }.map { "name \($0)/\(text)" }
  }

  /// Whether the last naming of the path is followed by a sync of its folder.
  private func isKept(_ path: String, _ calls: [String]) -> Bool {
    guard let named = calls.lastIndex(of: "name \(path)") else { return false }
    return calls[named...].contains("sync \((path as NSString).deletingLastPathComponent)")
  }

  @Test(arguments: [["export", "--csv", "-o"], ["export", "--json", "--events", "-o"], ["share", "-o"], ["backup"]])
  func `a file, and its name in the folder`(_ words: [String]) throws {
    let file = "\(scene.folder)/out/file"
    try FileManager.default.createDirectory(atPath: "\(scene.folder)/out", withIntermediateDirectories: true)
    let made = try calls("tally", words + [file])
    #expect(isKept(file, made), "\(made)")
    #expect(made.contains { $0.hasPrefix("sync \(scene.folder)/out/") }, "\(made)")
  }

  @Test func `the state of a core, and each folder that is made for it`() throws {
    scene.stopCore()
    let (state, socket) = ("\(scene.folder)/new/state/tallymark", "\(scene.folder)/new.sock")
    // With -D the tracer is no parent of the core, so that a signal reaches the core.
    let core = try start("tallyd", ["--state", state, "--socket", socket], "-D")
    try Wait.until("the core serves") { FileManager.default.fileExists(atPath: socket) }
    kill(core.process.processIdentifier, SIGTERM)
    #expect(try core.outcome().code == 0)
    try Wait.until("the names of its folders are synced") {
      let made = try calls()
      return ["\(scene.folder)/new", "\(scene.folder)/new/state", state].allSatisfy { isKept($0, made) }
    }
  }

  @Test func `a repaired journal`() throws {
    scene.stopCore()
    let new = "\(scene.folder)/repaired"
    let made = try calls("tally", ["repair", "\(scene.folder)/state/tallymark", new])
    #expect(isKept(new, made), "\(made)")
    #expect(made.contains("sync \(new)"), "\(made)")
  }
}
