import CoreAPI
import Counting
import Foundation
import JSON
import Journal
import Linux
import TestKit
import Testing
import Toml
import Varlink

@testable import CoreService

/// Who may do what.
@Suite struct RightsTests {
  /// A user and a group that every system has, and that are nobody's here.
  private let daemon = UnixSocket.Peer(process: 1, user: 1, groups: [1])
  private let stranger = UnixSocket.Peer(process: 1, user: 4_000_000, groups: [4_000_000])

  private func rights(_ text: String) throws -> AccessControlList {
    AccessControlList(try CoreConfiguration(Array(text.utf8), file: "core.toml").rights, owner: 5000)
  }

  private func faults(_ text: String) -> [String] {
    do {
      _ = try CoreConfiguration(Array(text.utf8), file: "core.toml")
      return []
    } catch {
      return error.errors.map(\.description)
    }
  }

  @Test func `each right is given by itself`() throws {
    let rights = try rights("[rights]\nread = [\"*\"]\ncount = [\"daemon\"]\nadminister = [\"@daemon\"]\n")
    #expect(Right.allCases.filter { rights.permit($0, to: stranger) } == [.read])
    #expect(Right.allCases.filter { rights.permit($0, to: daemon) } == [.read, .count, .administer])
    let inGroup = UnixSocket.Peer(process: 1, user: 4_000_000, groups: [4_000_000, 1])
    #expect(Right.allCases.filter { rights.permit($0, to: inGroup) } == [.read, .administer])
  }

  @Test func `root and the user that the core runs as may do everything`() throws {
    let rights = try rights("[rights]\nread = []\ncount = []\nadminister = []\n")
    for user: UInt32 in [0, 5000] {
      let peer = UnixSocket.Peer(process: 1, user: user, groups: [user])
      #expect(Right.allCases.allSatisfy { rights.permit($0, to: peer) })
    }
    #expect(!Right.allCases.contains { rights.permit($0, to: daemon) })
  }

  @Test func `without a configuration a stranger may do nothing`() throws {
    let rights = AccessControlList(.standard, owner: 5000)
    #expect(!Right.allCases.contains { rights.permit($0, to: stranger) })
  }

  @Test func `the configuration that is installed says what holds without one`() throws {
    let file = URL(filePath: Checkout.path("packaging/core.toml"))
    let installed = try CoreConfiguration(Array(try Data(contentsOf: file)), file: "core.toml")
    #expect(installed.userLimits == CoreConfiguration().userLimits)
    #expect(installed.rights.holders.filter { !$0.value.isEmpty } == Rights.standard.holders)
  }

  @Test func `only who may administer may send long messages`() throws {
    let temporary = TemporaryFolder()
    let text = "[rights]\nread = [\"*\"]\ncount = [\"*\"]\nadminister = [\"daemon\"]\n"
    let rights = try CurrentRights(option: temporary.write(text, to: "core.toml"))
    #expect(rights.limits(of: stranger)?.message == 256 << 10)
    #expect(rights.limits(of: daemon)?.message == 16 << 20)
    let root = UnixSocket.Peer(process: 1, user: 0, groups: [0])
    #expect(rights.limits(of: root) == nil)
  }

  @Test func `those who have no right at all share what one user may claim`() throws {
    let temporary = TemporaryFolder()
    let text = "[rights]\nread = []\ncount = [\"@daemon\"]\n"
    let rights = try CurrentRights(option: temporary.write(text, to: "core.toml"))
    #expect(rights.limits(of: stranger)?.isShared == true)
    #expect(rights.limits(of: daemon)?.isShared == false)
  }

  @Test func `names that the system does not know give nobody anything`() throws {
    let rights = try rights("[rights]\nread = [\"no-such-user\", \"@no-such-group\"]\n")
    #expect(rights.unknown == ["no-such-user", "@no-such-group"])
    #expect(!rights.permit(.read, to: stranger))
  }

  @Test func `a refusal names each holder of the right once`() throws {
    let temporary = TemporaryFolder()
    try "[rights]\nread = [\"root\", \"@daemon\", \"root\"]\n"
      .write(toFile: temporary.path("core.toml"), atomically: true, encoding: .utf8)
    let rights = try CurrentRights(option: temporary.path("core.toml"))
    let refusal = try #require(rights.refusal(of: .read, for: stranger))
    #expect("\(refusal)".hasSuffix("(granted to: the user root, the group daemon)."))
    let others = try #require(rights.refusal(of: .administer, for: stranger))
    #expect("\(others)".hasSuffix("(no user has it)."))
  }

  @Test func `every method of the interface says which right it needs`() throws {
    let methods = try Interface(CountersInterface.description).methods.keys
    #expect(Set(methods) == Set(Method.all.map(\.name.rawValue)))
    #expect(Method.right(for: "SomethingNew") == .administer)
  }

  @Test(arguments: [
    ("[right]\n", "core.toml:1:2: core.toml has no \"right\": did you mean \"rights\"?"),
    ("[rights]\nraed = []\n", "core.toml:2:1: [rights] has no \"raed\": did you mean \"read\"?"),
    (
      "[rights]\nread = \"alice\"\n",
      "core.toml:2:8: read must be a list, and this is a text: "
        + "write read = [\"alice\", \"@staff\"]: a user, a group, or \"*\" for everyone"
    ),
    ("[limits]\ncalls = 0\n", "core.toml:2:9: calls must be a whole number from 1 to 1000000"),
    ("rights = 5\n", "core.toml:1:1: rights must be a table, and this is a whole number: write [rights]"),
  ])
  func `what is wrong is refused with its place`(text: String, expected: String) {
    #expect(faults(text) == [expected])
  }

  @Test func `who may count and not read learns no note of others, whether by a note, an undo or a delivery`() throws {
    let temporary = TemporaryFolder()
    let core = try Core(store: try CounterStore(folder: temporary.path), loop: try EventLoop())
    let secret = "the code is 1234"
    func ask(_ verb: Request.Verb, mayRead: Bool = false) throws -> String {
      let caller = Caller(mayAdminister: false, mayRead: mayRead)
      let parameters: JSONObject = ["cause": ["producer": "test"]]
      return try WriteMethods.perform({ _ in verb }, Arguments(parameters), core, by: caller).description
    }
    _ = try ask(.change(.add(.current, amount: nil)))
    let event = core.ledger.lastSequence
    _ = try ask(.note(event, secret))
    #expect(try ask(.note(event, "x"), mayRead: true).contains(secret))
    for verb in [Request.Verb.undo(nil), .redo(nil), .undo(nil), .note(event, nil), .undo(nil)] {
      let reply = try ask(verb)
      #expect(!reply.contains(secret) && reply.contains("\"about\":\(event)"), "\(reply)")
    }
    #expect(try ask(.note(event, "y"), mayRead: true).contains(secret))
  }

  @Test func `users and groups that only a directory service knows are named by their numbers`() throws {
    let rights = try rights("[rights]\nread = [\"4000000\"]\ncount = [\"@4000001\"]\nadminister = [\"@4000000\"]\n")
    #expect(rights.unknown.isEmpty)
    let person = UnixSocket.Peer(process: 1, user: 4_000_000, groups: [4_000_001])
    #expect(Right.allCases.filter { rights.permit($0, to: person) } == [.read, .count])
    #expect(!Right.allCases.contains { rights.permit($0, to: daemon) })
  }

  @Test(arguments: ["", "@", "a@b", "*x", "root:root", "4294967295", "@4294967295", "99999999999"])
  func `a text that names nobody is no holder`(text: String) {
    #expect(Rights.Holder(text) == nil)
  }
}
