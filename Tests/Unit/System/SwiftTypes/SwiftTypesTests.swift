import Foundation
import JSON
import SwiftTypes
import Testing
import Varlink

@Suite struct SwiftTypesTests {
  private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../../Sources").standardized

  /// The code of a description, without its heading.
  private func code(_ description: String) throws -> [String] {
    let interface = try Interface("interface org.example.door\n" + description, keepsComments: true)
    return try SwiftTypes(of: interface, in: "Door").code(source: "door").split(separator: "\n").map(String.init)
  }

  @Test func `the types of the counters are those that their interface describes`() throws {
    let description = "Core/CoreService/org.tallymark.Counters.varlink"
    let text = try String(contentsOf: Self.sources.appending(path: description), encoding: .utf8)
    let interface = try Interface(text, keepsComments: true)
    let code = try SwiftTypes(of: interface, in: "Counters").code(source: "Sources/" + description)
    let written = try String(contentsOf: Self.sources.appending(path: "Core/CoreAPI/Interface.swift"), encoding: .utf8)
    #expect(written == code, "The interface has changed. Write its types with: make types")
  }

  @Test(arguments: [
    ("count: int", "public var count: Int64 { self[.count] ?? 0 }"),
    ("count: ?int", "public var count: Int64? { self[.count] }"),
    ("name: string", #"public var name: String { self[.name] ?? "" }"#),
    ("open: bool", "public var isOpen: Bool { self[.open] ?? false }"),
    ("open: ?bool", "public var isOpen: Bool { self[.open] ?? false }"),
    ("names: ?[]string", "public var names: [String] { self[.names] ?? [] }"),
    ("entries: []object", "public var entries: [JSON] { self[.entries] ?? [] }"),
    ("lock: Lock", "public var lock: Door.Lock { self[.lock] ?? Door.Lock() }"),
    ("locks: ?[]Lock", "public var locks: [Door.Lock] { self[.locks] ?? [] }"),
    ("in: int", "public var `in`: Int64 { self[.`in`] ?? 0 }"),
  ]) func `a member becomes a property`(member: String, property: String) throws {
    let lines = try code("type Lock (made: int)\ntype State (\(member))")
    #expect(lines.contains("    " + property))
  }

  @Test func `only structures in requests can be made and changed`() throws {
    let lines = try code(
      """
      type Order (lock: Lock, hurry: ?bool)
      type Lock (made: ?int)
      type State (made: int)
      method Shut(name: ?string, order: Order, twice: ?bool, cause: ?string) -> (state: State)
      """)
    #expect(lines.contains("    public init(lock: Door.Lock, isHurry: Bool = false) {"))
    #expect(lines.contains("    public init(made: Int64? = nil) {"))
    #expect(lines.contains("      set { self[.hurry] = newValue ? true : nil }"))
    #expect(lines.contains("    public var made: Int64 { self[.made] ?? 0 }"))
    #expect(
      lines.contains(
        "  public static func shut(_ name: String? = nil, order: Door.Order, twice: Bool? = nil) -> Self {"))
    #expect(lines.contains("    case name, order, twice, cause, made, lock, hurry"))
    #expect(lines.contains("  public struct StateReply: ChangeReply {"))
  }

  @Test func `methods with the same reply share its type`() throws {
    let lines = try code(
      "method Open() -> (at: int)\nmethod Shut() -> (at: int)\nmethod Lock() -> ()\nmethod Ask() -> (a: int, b: int)")
    #expect(
      lines.filter { $0.contains("public struct") }.map { $0.split(separator: " ")[2] } == [
        "AtReply:", "EmptyReply:", "AskReply:",
      ])
    #expect(lines.contains("  /// The reply to `Open` and `Shut`."))
    #expect(lines.contains("  public static var open: Self { .init(.open) }"))
  }

  @Test func `an error becomes a reason with its parameters, beside the message`() throws {
    let lines = try code(
      "# Somebody holds it.\nerror Held (by: string, since: int, message: string)\nerror Gone (message: string)")
    #expect(lines.contains("    /// Somebody holds it."))
    #expect(lines.contains("    case held(by: String, since: Int64)"))
    #expect(lines.contains("    case gone"))
    #expect(lines.contains("        case .held: self = .held(by: text(.by), since: number(.since))"))
  }

  @Test func `comments become documentation, wrapped anew`() throws {
    let long = Array(repeating: "word", count: 40).joined(separator: " ")
    let lines = try code("# \(long)\ntype State (\n  # Since then.\n  at: int\n)")
    let words = lines.filter { $0.hasPrefix("  /// word") }
    #expect(words.count == 2 && words.allSatisfy { $0.count <= 120 })
    #expect(lines.contains("    /// Since then."))
  }

  @Test(arguments: ["type A (b: (c: int))", "method A() -> (b: [string]int)", "method A(b: (on, off)) -> ()"])
  func `a type without a name is refused`(description: String) {
    #expect(throws: SwiftTypes.Unsupported.self) { try code(description) }
  }
}
