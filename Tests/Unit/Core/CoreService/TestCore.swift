import Foundation
import JSON
import Linux
import Synchronization
import TestKit
import Varlink

@testable import CoreService
@testable import Journal

/// A real core on a real socket in a folder of its own. It ends with this object, which its clients keep.
final class TestCore: Sendable {
  private let thread: CoreThread
  var folder: String { thread.folder }
  var socket: String { thread.socket }

  /// - Parameters:
  ///   - fleetLimits: limits of what is sent to bridges.
  ///   - bufferedBytes: the limit of the bytes that clients have not read; `nil` for no limit.
  init(_ fleetLimits: FleetService.Limits = .init(), bufferedBytes: Int? = nil) throws {
    thread = try CoreThread(fleetLimits, bufferedBytes)
    start()
  }

  deinit { stop() }

  func start() { thread.start() }

  /// Does nothing if the core is not running.
  func stop() { thread.stop() }

  func restart() {
    stop()
    start()
  }

  func client() throws -> TestClient { TestClient(try Client(path: socket), of: self, in: folder) }

  /// The work of SQLite for the core during `body`, apart from the reader threads: a number that grows with the steps of
  /// its virtual machine, and does not depend on the machine or on time.
  func work(_ body: () throws -> Void) rethrows -> Int { try thread.work(body) }
}

/// The thread that serves a ``TestCore``. The thread keeps this object while it runs.
private final class CoreThread: @unchecked Sendable {
  private let temporary = TemporaryFolder()
  var folder: String { temporary.path }
  private let started = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)
  private let wake = Pipe()
  private var isRunning = false
  /// How often SQLite has looked whether it may go on for the core: after some steps of its virtual machine each time.
  private let looks = Atomic<Int>(0)

  private let fleetLimits: FleetService.Limits
  private let bufferedBytes: Int?

  init(_ fleetLimits: FleetService.Limits, _ bufferedBytes: Int?) throws {
    (self.fleetLimits, self.bufferedBytes) = (fleetLimits, bufferedBytes)
    try temporary.write("", to: "core.toml")
  }

  var socket: String { "\(folder)/socket" }

  func start() {
    Thread { [self] in
      do { try serve() } catch { fatalError("\(error)") }
      ended.signal()
    }.start()
    started.wait()
    isRunning = true
  }

  func stop() {
    guard isRunning else { return }
    isRunning = false
    wake.fileHandleForWriting.write(Data([0]))
    ended.wait()
  }

  private func serve() throws {
    ServiceProcess.ignoreWriteSignals()
    let loop = try EventLoop()
    let core = try Core(
      store: try CounterStore(folder: folder), loop: loop,
      surroundings: .init(runtime: temporary.path("run"), boot: "b"), fleetLimits: fleetLimits)
    // However busy the machine is between the two halves of a reset.
    core.resetWindow = 60_000_000
    core.store.database.onProgress(every: 1) { [unowned self] in
      looks.wrappingAdd(1, ordering: .relaxed)
      return true
    }
    let service = Service(vendor: "Tallymark", product: "test", version: "0", url: "")
    try CountersInterface(core: core, rights: try CurrentRights(option: temporary.path("core.toml")), loop: loop).serve(
      on: service)
    var limits = Server.Limits.standard
    if let bufferedBytes { limits.bufferedBytes = bufferedBytes }
    let server = try Server(
      loop: loop, listener: try UnixSocket.listen(at: socket, mode: 0o600), service: service, limits: limits
    ) { [bufferedBytes] _ in bufferedBytes.map { _ in .init(connections: 100, calls: 1_000_000) } }
    let stopping = try loop.watch(number: wake.fileHandleForReading.fileDescriptor, for: .readable) { [self] _ in
      _ = wake.fileHandleForReading.readData(ofLength: 1)
      loop.exit()
    }
    started.signal()
    _ = try loop.run()
    withExtendedLifetime((server, stopping)) {}
  }

  func work(_ body: () throws -> Void) rethrows -> Int {
    let before = looks.load(ordering: .relaxed)
    try body()
    return looks.load(ordering: .relaxed) - before
  }
}

/// A client that holds every answer against the interface's description.
struct TestClient {
  static let interface = { () -> Interface in
    do { return try Interface(CountersInterface.description) } catch { fatalError("\(error)") }
  }()
  private static let name = "org.tallymark.Counters"
  private let client: Client
  /// The core, which ends when the last client is gone.
  private let core: AnyObject
  /// The folder of the core's journal.
  let folder: String

  init(_ client: Client, of core: AnyObject, in folder: String) {
    (self.client, self.core, self.folder) = (client, core, folder)
  }

  @discardableResult
  func call(_ method: String, _ parameters: JSONObject = [:]) throws -> JSONObject {
    do {
      let reply = try client.call("\(Self.name).\(method)", parameters)
      try Self.interface.validate(reply: method, reply)
      return reply
    } catch let error as VarlinkError {
      if error.name.hasPrefix(Self.name) { try Self.interface.validate(error) }
      throw error
    }
  }

  /// The event that a change became.
  @discardableResult
  func change(_ method: String, _ parameters: JSONObject = [:]) throws -> JSONObject {
    try call(method, parameters)["event"]?.object ?? [:]
  }

  func value(_ name: String) throws -> Int64? {
    try call("Get", ["counter": .string(name)])["counter"]?.object?["value"]?.int
  }

  /// Everything that happened, each as "kind name value".
  func history() throws -> [String] {
    let events = try call("History", ["after": 0, "limit": 1000])["events"]?.array ?? []
    return events.map { event in
      let event = event.object ?? [:]
      return "\(event["kind"]?.string ?? "") \(event["counter"]?.string ?? "") \(event["value"]?.int ?? 0)"
    }
  }

  /// Everything as a stream.
  func export(each: (JSONObject) throws -> Void) throws {
    try client.stream("\(Self.name).Export") { reply in
      try Self.interface.validate(reply: "Export", reply)
      try each(reply)
      return true
    }
  }

  func watch(_ parameters: JSONObject = [:], each: (JSONObject) throws -> Bool) throws {
    try client.stream("\(Self.name).Watch", parameters) { reply in
      try Self.interface.validate(reply: "Watch", reply)
      return try each(reply)
    }
  }
}

/// The short name of the error that `body` throws, with one of its parameters; `nil` where it throws none.
func refusal(_ parameter: String? = nil, _ body: () throws -> Void) -> String? {
  do {
    try body()
    return nil
  } catch let error as VarlinkError {
    let name = String(error.name.split(separator: ".").last ?? "")
    guard let parameter, let value = error.parameters[parameter] else { return name }
    return "\(name) \(value.string ?? value.description)"
  } catch {
    return "\(error)"
  }
}
