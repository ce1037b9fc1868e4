import Counting
import Foundation
import JSON
import Linux
import TestKit
import Testing

@testable import CoreService
@testable import Journal

@Suite final class `Names of counters that are gone` {
  private let temporary = TemporaryFolder()
  var folder: String { temporary.path }
  let core: Core
  /// The loop that the core's sources are part of.
  let loop: EventLoop
  static let names = (0..<200).map { "gone-\($0)" }

  init() throws {
    loop = try EventLoop()
    core = try Core(store: try CounterStore(folder: temporary.path), loop: loop)
    for name in Self.names {
      try perform(.create(name: name))
      try perform(.set(.named(name), [.name: .text("new-\(name)")]))
      try perform(.remove(.named("new-\(name)")))
    }
    core.commit()
  }

  func perform(_ change: Change) throws {
    _ = try core.perform([Request(.change(change), time: 1, cause: Cause(producer: "test"))])
  }

  func past(_ names: [String]) throws -> JSONObject {
    let arguments = Arguments(["counters": .array(names.map(JSON.string)), "time": 1], path: "")
    let journal = Method.Journal(
      reader: core.store.reader, resetWindow: 0, zone: core.ledger.zone, now: .init(time: 1, boot: nil))
    return try ReadMethods.past(arguments, journal).parsed()
  }

  /// What SQLite has to do to answer how so many of them stood.
  func work(for names: [String]) throws -> Int32 {
    let statements = [core.store.statements.names, core.store.statements.formerNames]
    for statement in statements { _ = statement.takeWork() }
    #expect(try past(names)["values"]?.array?.count == Set(names).count)
    return statements.reduce(0) { $0 + $1.takeWork() }
  }

  @Test func `are looked up together, so that nobody can hold up the core by asking for many`() throws {
    let once = try work(for: [Self.names[0]])
    #expect(once > 0)
    #expect(try work(for: Self.names) == once)
    #expect(try work(for: Array(repeating: Self.names[7], count: 10_000)) == once)
    #expect(throws: CountingError.noSuchCounter("never")) { _ = try past([Self.names[0], "never"]) }
  }

  @Test(arguments: [
    ("caf\u{e9}", "cafe\u{301}"), ("cafe\u{301}", "caf\u{e9}"), ("K", "\u{212a}"), ("\u{212a}", "K"), ("tea", "tea"),
  ])
  func `are found in another spelling`(_ name: String, _ other: String) throws {
    for renamed in ["x", "y"] {
      try perform(.create(name: name))
      try perform(.set(.named(name), [.name: .text(renamed)]))
    }
    try perform(.create(name: name))
    try perform(.remove(.named(name)))
    core.commit()
    #expect(try core.store.bearers(of: other, in: core.ledger).count == 3)
    #expect(try core.store.bearers(of: "no-\(other)", in: core.ledger).isEmpty)
  }
}
