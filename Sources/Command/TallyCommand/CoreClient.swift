import ArgumentParser
import CoreAPI
import Counting
import Glibc
import Linux
import Tallymark
import Text
import Varlink

/// A request for a change of counters, whose reply is an event.
typealias ChangeRequest = Counters.Request<Counters.EventReply>

/// The command line's connection to the core: finds the core and turns errors into messages and exit codes.
struct CoreClient {
  /// The core refused the call.
  static let refused = ExitCode(1)
  /// `EX_UNAVAILABLE` of sysexits.h: no core can be reached.
  static let unavailable = ExitCode(69)

  let client: Client
  /// Whether output is for programs: events as JSON, and errors with their qualified names.
  let isForPrograms: Bool

  /// Connects to the first core that listens.
  ///
  /// - Throws: exit code 69, after printing the tried paths and how to start a core.
  init(_ options: CommonOptions) throws(ExitCode) {
    ServiceProcess.ignoreWriteSignals()
    isForPrograms = options.json
    do throws(NoCore) {
      client = try CoreSocket.connect(CoreSocket.candidates(option: options.socket), by: Self.connect).connection
    } catch {
      let isRefused = error.faults.contains { $0.error.code == EACCES }
      let tried = error.faults.map { "  \($0.path): \(SystemError.reason($0.error.code))" }
      let nowhere = "  nowhere: neither XDG_RUNTIME_DIR nor TALLYMARK_SOCKET is set"
      Output.complain(
        """
        Cannot connect to a core. Tried:
        \(tried.isEmpty ? nowhere : tried.joined(separator: "\n"))
        \(isRefused ? "Ask the owner of the socket for access" : "Start one with “tallyd”"), or give the path of \
        \(isRefused ? "another" : "its") socket with --socket or TALLYMARK_SOCKET. “tally doctor” finds out what is wrong.
        """)
      throw Self.unavailable
    }
  }

  /// Connects, with ``Patience`` for a core that hangs.
  private static func connect(to place: String) throws(SystemError) -> Client {
    let patience = Patience(isLong: false)
    var seconds = 0
    while true {
      do {
        return try Client(path: place)
      } catch  where error.code == EAGAIN {
        seconds += Patience.remark
        patience.take(patience.step(after: seconds, isConnected: false))
      }
    }
  }

  /// Sends a request and returns its reply.
  ///
  /// - Throws: exit code 1 after printing the core's error, 69 if the connection is lost.
  func call<Reply>(_ request: Counters.Request<Reply>) throws(ExitCode) -> Reply {
    do {
      return try patiently(isLong: [.import, .undo, .redo].contains(request.method)) { try client.call(request) }
    } catch {
      throw explain(error)
    }
  }

  /// Sends an optional request; returns `nil` if the core does not accept its parameters.
  func callIfAccepted<Reply>(_ request: Counters.Request<Reply>) throws(ExitCode) -> Reply? {
    do {
      return try patiently { try client.call(request) }
    } catch let error as VarlinkError where error.name == VarlinkError.invalidParameter("").name {
      return nil
    } catch {
      throw explain(error)
    }
  }

  /// Sends a request with many replies, and calls `each` for each of them until it returns `false`.
  func stream<Reply>(_ request: Counters.Request<Reply>, each: (Reply) throws -> Bool) throws(ExitCode) {
    do {
      try client.stream(request, each: each)
    } catch {
      throw explain(error)
    }
  }

  /// Like ``stream(_:each:)``, but returns when the connection is lost.
  func streamUntilLost<Reply>(
    _ request: Counters.Request<Reply>, each: (Reply) throws -> Bool
  ) throws(ExitCode) {
    do {
      try client.stream(request, each: each)
    } catch is SystemError {
      return
    } catch {
      throw explain(error)
    }
  }

  /// Connects to the core once it listens again, trying after each `pause` of a number of milliseconds, which grows
  /// from 100 to 1000.
  static func whenStarted(_ options: CommonOptions, pause: (Int32) -> Void) -> CoreClient {
    var length: Int32 = 100
    while true {
      if let core = ifRunning(options) { return core }
      pause(length)
      length = min(1000, length * 2)
    }
  }

  /// Connects to the core if it listens; prints nothing.
  static func ifRunning(_ options: CommonOptions) -> CoreClient? {
    Client.first(option: options.socket).map { CoreClient($0, options) }
  }

  private init(_ client: Client, _ options: CommonOptions) {
    self.client = client
    isForPrograms = options.json
  }

  /// Makes a change caused by "tally", and returns the event.
  func change(_ request: ChangeRequest) throws(ExitCode) -> EventLine {
    var line = EventLine(try call(request.caused(by: .init(producer: "tally"))).event)
    // The event has the value without the present run.
    let ofRun: [Event.Kind?] = [.started, .stopped, .lapped, .undone, .redone]
    if line.unit == .time, !line.name.isEmpty, !ofRun.contains(line.knownKind), let counter = present(line.name),
      counter.isRunning
    {
      line.standing = counter.shown
    }
    return line
  }

  /// Makes a change, and prints its event: as JSON, or as a sentence.
  func report(_ request: ChangeRequest, _ sentence: (EventLine) throws -> String) throws {
    let event = try change(request)
    if isForPrograms { return printJSON(event) }
    Output.line(try sentence(event))
  }

  /// The counter with a name, or the current one; `nil` if it cannot be read.
  func present(_ name: String?) -> CounterLine? { (try? client.call(.get(name))).map { CounterLine($0.counter) } }

  /// Makes a change caused by a key of the terminal, and prints nothing.
  ///
  /// - Returns: the sentence with which the core refused the change; `nil` on success.
  /// - Throws: `SystemError` if the connection is lost, or the core does not answer.
  func refusal(of request: ChangeRequest, by key: TerminalKey) throws -> String? {
    do {
      _ = try client.call(request.caused(by: key.cause))
      return nil
    } catch let refusal as Counters.Refusal {
      return ErrorText.text(of: refusal, isNamed: false)
    } catch let error as VarlinkError {
      return ErrorText.text(of: error, isNamed: false)
    }
  }

  /// Makes all changes or none, caused by "tally", and returns their events.
  func deliver(_ changes: [Counters.Change]) throws(ExitCode) -> [Counters.Event] {
    var attempts = 1
    while true {
      let epoch = try call(.open(producer: "tally")).epoch
      do {
        return try patiently {
          try client.call(.deliver(producer: "tally", epoch: epoch, sequence: 1, changes: changes)).events
        }
      } catch let refusal as Counters.Refusal where refusal.name == .producerFenced && attempts < 100 {
        // Another process has opened the producer meanwhile; nothing was counted. Each process waits for a random time.
        usleep(.random(in: 500...useconds_t(1000 * attempts)))
        attempts += 1
      } catch {
        throw explain(error)
      }
    }
  }

  /// The title of a group, which is its name unless one was set.
  func title(ofGroup name: String) throws(ExitCode) -> String {
    try call(.groups).groups.first { $0.name == name }?.title.printableLine ?? name
  }

  /// Calls `act` repeatedly while no reply has arrived for a number of milliseconds.
  func whenQuiet(for milliseconds: Int32, _ act: @escaping () -> Void) { client.whenQuiet = (milliseconds, act) }

  /// Prints an error.
  ///
  /// - Returns: the exit code for it.
  private func explain(_ error: any Error) -> ExitCode {
    switch error {
    case let error as ExitCode: return error
    case let refusal as Counters.Refusal:
      if let text = otherText(for: refusal) {
        Output.complain((isForPrograms ? "\(refusal.name.qualifiedName): " : "") + text)
      } else {
        Output.complain(ErrorText.text(of: refusal, advice: advice(for: refusal), isNamed: isForPrograms))
      }
      return Self.refused
    case let error as VarlinkError:
      Output.complain(ErrorText.text(of: error, isNamed: isForPrograms))
      return Self.refused
    default:
      Output.complain("The connection to the core was lost: \(error).")
      return Self.unavailable
    }
  }

  /// Whether the core replies. A stopped process keeps its connections open, so an open connection proves nothing.
  var answers: Bool {
    let former = client.patience
    client.patience = Patience.ofLife
    defer { client.patience = former }
    do { _ = try client.call(.groups) } catch { return !(error is SystemError) }
    return true
  }

  /// Runs `body`, which waits for replies of the core, with ``Patience``.
  func patiently<Result>(isLong: Bool = false, _ body: () throws -> Result) rethrows -> Result {
    guard client.whenQuiet == nil else { return try body() }
    let patience = Patience(isLong: isLong)
    client.whenQuiet = (
      Int32(Patience.remark * 1000),
      { [unowned client = client] in patience.take(patience.step(after: client.quietTimes * Patience.remark)) }
    )
    defer { client.whenQuiet = nil }
    return try body()
  }
}

extension CommonOptions {
  /// Makes a change and prints its event.
  func change(_ request: ChangeRequest, _ sentence: (EventLine) -> String = \.sentence) throws {
    try CoreClient(self).report(request, sentence)
  }

  /// Makes a change after which another counter may be the current one, and prints its event, that counter and the
  /// formulas that lost their value.
  ///
  /// - Parameter sentence: receives the event and the state after it.
  func changeCurrent(
    _ request: ChangeRequest, _ sentence: (EventLine, Counters.ListReply) -> String = { event, _ in event.sentence }
  ) throws {
    let core = try CoreClient(self)
    let before = json ? nil : try core.call(.list)
    let event = try core.change(request)
    guard let before else { return core.printJSON(event) }
    let after = try core.call(.list)
    Output.line(sentence(event, after))
    let lost = after.formulas.filter { formula in
      formula.text == nil && before.formulas.contains { $0.name == formula.name && $0.text != nil }
    }
    .map(\.name)
    if !lost.isEmpty {
      Output.line("Without a value now: \(lost.abridged(to: 10)).")
    }
    if let former = before.counters.first(where: \.isCurrent)?.name,
      let current = after.counters.first(where: \.isCurrent).map(CounterLine.init), current.name != former
    {
      Output.line("Gestures now count \(current.name), which stands at \(current.count).")
    }
  }
}

/// The name of a group as an argument, with completion.
struct GroupArgument {
  static let completion = CompletionKind.custom { words, _, _ in
    (try? Client.first(option: Tally.socket(in: words))?.call(.groups))?.groups.map(\.name) ?? []
  }
}

/// The name of a counter as an argument, with completion.
struct CounterArgument {
  /// The counters that can be counted: neither formulas nor archived counters.
  static let completionOfCounts = CompletionKind.custom { words, _, _ in
    list(words)?.counters.filter { !$0.isArchived }.map(\.name) ?? []
  }

  static let completion = CompletionKind.custom { words, _, _ in
    list(words).map { $0.counters.map(\.name) + $0.formulas.map(\.name) } ?? []
  }

  private static func list(_ words: [String]) -> Counters.ListReply? {
    try? Client.first(option: Tally.socket(in: words))?.call(.list)
  }
}
