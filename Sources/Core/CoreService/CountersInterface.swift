import CoreAPI
import Counting
import Fleet
import JSON
import Journal
public import Linux
public import Varlink

/// The Varlink interface `org.tallymark.Counters` of a ``Core``.
public final class CountersInterface {
  private let core: Core
  private let watchers: Watchers
  private let rights: CurrentRights
  private let pool: ReadPool
  private let exports: Exports
  private let slowLog = SlowLog()
  /// The length of the write-ahead log at which readers must end their snapshots.
  private var longestLog = CountersInterface.longLog

  /// The length in pages: eight times the length at which SQLite restarts the log without readers.
  private static let longLog = 8000

  public init(core: Core, rights: CurrentRights, loop: EventLoop) throws(SystemError) {
    self.core = core
    self.rights = rights
    pool = try ReadPool(core.store.location, loop: loop)
    exports = Exports(pool)
    watchers = try Watchers(core: core, loop: loop, pool: pool)
    // Sockets have the same priority, so that replies and calls take turns.
    answering = try loop.deferred(priority: .afterwards) { [unowned self] in sendAnswers() }
    core.onEvents = { [watchers, unowned self] events in
      watchers.notify(events)
      limitLog()
    }
    core.willChange = { [watchers] in watchers.encode() }
    core.onReplaced = { [watchers] in watchers.startOver() }
  }

  deinit { end() }

  public func serve(on service: Service) throws(Interface.SyntaxError) {
    service.add(
      try Interface(Self.description), isQuestion: { Method.named($0)?.isQuestion ?? false },
      mayChange: { [rights] peer in
        [Right.count, .administer, .share].contains { rights.permit($0, to: peer) }
      },
      handlerOf: { [self, unowned service] name in
        guard let method = Method.named(name) else { return { $0.fail(.methodNotFound(name)) } }
        return { [self] call in
          core.isCommitAhead = service.isPauseAhead
          handle(call, method)
        }
      })
    service.onPause = { [core] in
      core.isCommitAhead = false
      if core.isDue { core.commit() }
    }
  }

  /// Commits and sends everything pending, before the program ends.
  public func commit() {
    core.commit()
    watchers.notifyAll()
  }

  /// Ends open calls without a right, after the rights have changed.
  func applyRights() {
    watchers.end { [rights] call in rights.refusal(of: call) }
    core.fleet?.endLinks { [rights] call in rights.refusal(of: call) }
  }

  /// Ends the reader threads; pending queries get no reply.
  func end() { pool.end() }

  /// The description of the interface for introspection.
  public static var description: String {
    String(decoding: PackageResources.org_tallymark_Counters_varlink, as: UTF8.self)
  }

  private func handle(_ call: Call, _ method: Method) {
    if let refusal = rights.refusal(of: method.right, for: call.peer) { return call.fail(refusal) }
    let begun = Clock.monotonic()
    perform(method, for: call)
    let now = Clock.monotonic()
    // A call that failed after a wait for a disk or a lock is not reported as slow: the failure is logged.
    guard now &- begun > SlowLog.limit, core.trouble == nil else { return }
    slowLog.note(method.name.rawValue, of: call.peer.user, took: now &- begun, in: .loop, now: now)
  }

  private func perform(_ method: Method, for call: Call) {
    switch method.action {
    case .state(let question): ask(call, question)
    case .journal(let question): read(call, question)
    case .export: export(call)
    case .watch: watchers.add(call)
    case .link: core.fleet?.link(call)
    case .forget: forgetStation(call)
    case .change(let verb):
      change(call) { [core] in
        try WriteMethods.perform(verb, Arguments(call), core, by: $0)
      }
    case .perform(let perform): change(call) { [core] in try perform(call, core, $0) }
    }
  }

  /// Replies to a query of the state once the state is durable; repeats the query after a rollback.
  private func ask(_ call: Call, _ question: @escaping Method.Question<Method.State>) {
    core.readClocks()
    core.showLearned()
    guard call.method == "Get" || !core.ledger.isLarge else {
      return askLargeState(call, question)
    }
    let answer = Result { try question(Arguments(call), state) }
    core.whenDurable { [self] outcome in
      switch outcome {
      case .durable: finish(call, answer)
      case .lost: finish(call, Result { try question(Arguments(call), state) })
      }
    }
  }

  // MARK: Large states

  /// A query of a state that is too large for the loop.
  private struct StateQuery {
    let call: Call
    let parameters: EncodedObject
    let question: Method.Question<Method.State>
  }

  /// Waiting queries. Copies of a large state take megabytes: only one is made at a time, and all calls with the same
  /// question get the same reply.
  private var stateQueries: [StateQuery] = []
  private var isReadingState = false

  private func askLargeState(_ call: Call, _ question: @escaping Method.Question<Method.State>) {
    guard !call.isOneway else { return call.reply() }
    let size = core.ledger.size
    call.expectReply(bytes: 300 * (size.counters + size.groups) + 500 * size.formulas)
    stateQueries.append(StateQuery(call: call, parameters: EncodedObject(call.parameters), question: question))
    call.forgetParameters()
    call.onGone = { [unowned self, id = ObjectIdentifier(call)] in
      stateQueries.removeAll { ObjectIdentifier($0.call) == id }
    }
    readNextState()
  }

  private func readNextState() {
    guard !isReadingState, !stateQueries.isEmpty else { return }
    isReadingState = true
    core.whenDurable { [self] _ in
      guard let first = stateQueries.first else {
        isReadingState = false
        return
      }
      let isSame = { (query: StateQuery) in
        query.call.method == first.call.method && query.parameters == first.parameters
      }
      let answered = stateQueries.filter(isSame)
      stateQueries.removeAll(where: isSame)
      for query in answered { query.call.onGone = nil }
      core.readClocks()
      let (state, question, parameters) = (self.state, first.question, first.parameters)
      _ = pool.run(
        for: first.call.peer.user, { _ in try question(Arguments(try parameters.parsed()), state) },
        then: { [self] result in
          isReadingState = false
          answers.append((answered.map(\.call)[...], result))
          sendAnswers()
          readNextState()
        })
    }
  }

  /// Replies that are sent next. Each is large, and many calls may get the same one.
  private var answers: [(calls: ArraySlice<Call>, result: Result<EncodedObject, any Error>)] = []
  private var answering: DeferredSource?

  /// The time after which sending replies pauses, in nanoseconds.
  private static let answeringInATurn: Int64 = 500_000

  private func sendAnswers() {
    let end = Clock.monotonic() &+ Self.answeringInATurn
    while let first = answers.first {
      guard let call = answers[0].calls.popFirst() else {
        answers.removeFirst()
        continue
      }
      finish(call, first.result)
      if Clock.monotonic() >= end { break }
    }
    if !answers.isEmpty { answering?.schedule() }
  }

  private var state: Method.State { .init(ledger: core.ledger, trouble: core.trouble?.message) }

  /// Replies to a query of the journal, after the commit of all earlier changes.
  private func read(_ call: Call, _ question: @escaping Method.Question<Method.Journal>) {
    let resetWindow = core.resetWindow
    core.showLearned()
    core.whenDurable { [self] _ in
      let zone = core.ledger.zone
      enqueue(call) { arguments, thread in
        let reader = try thread.reader()
        return try reader.snapshot {
          let now = JournalReader.Now(time: Clock.microsecondsSince1970(), boot: Boot.current)
          return try question(
            arguments, Method.Journal(reader: reader, resetWindow: resetWindow, zone: zone, now: now))
        }
      }
    }
  }

  /// Runs a query on a reader thread, unless its client disconnects.
  private func enqueue(_ call: Call, _ body: @escaping @Sendable (Arguments, ReaderThread) throws -> EncodedObject) {
    guard !call.isOneway else { return call.reply() }
    // As text, parameters take a fraction of the memory.
    let parameters = EncodedObject(call.parameters)
    call.forgetParameters()
    let (method, user, slowLog) = (call.method, call.peer.user, slowLog)
    let job = pool.run(
      for: user,
      { thread in
        let begun = Clock.threadTime()
        defer { slowLog.note(method, of: user, took: Clock.threadTime() &- begun, in: .reader) }
        return try body(Arguments(try parameters.parsed()), thread)
      },
      then: { [self] in finish(call, $0) })
    call.onGone = { [pool] in pool.cancel(job) }
  }

  /// Removes another station of the fleet, and replies when the broker has accepted the removal.
  private func forgetStation(_ call: Call) {
    do {
      let fleet = try core.fleetInUse()
      let messages = try fleet.forgetStation(Arguments(call).text(.station) ?? "") { [unowned self] in finish(call, $0)
      }
      fleet.bridge.send(messages)
    } catch {
      finish(call, .failure(error))
    }
  }

  /// Starts a stream of the export, or returns one page.
  private func export(_ call: Call) {
    guard call.wantsMore, call.parameters[Counters.Parameter.after]?.int == nil else {
      return read(call, ReadMethods.export)
    }
    core.showLearned()
    core.whenDurable { [exports] _ in exports.add(call) }
  }

  /// Performs a change and replies when it is durable.
  private func change(_ call: Call, _ change: (Caller) throws -> EncodedObject) {
    let peer = call.peer
    let caller = Caller(mayAdminister: rights.permit(.administer, to: peer), mayRead: rights.permit(.read, to: peer))
    let result = Result { try change(caller) }
    core.whenDurable { [self] outcome in
      switch outcome {
      case .durable: finish(call, result)
      case .lost(let error): finish(call, result.flatMap { _ in .failure(error) })
      }
    }
  }

  private func finish(_ call: Call, _ result: Result<EncodedObject, any Error>) {
    switch result {
    case .success(let reply): call.reply(reply)
    case .failure(let error as PermissionDenied) where error.isOfGesture:
      // Begins with the remedy, because a display may cut the rest.
      let message = "Use “tally \(error.verb)”: a gesture cannot \(error.action)."
      call.fail(Counters.Refusal(.permissionDenied(right: error.right.rawValue), message: message).error)
    case .failure(let error as PermissionDenied): call.fail(rights.refusal(of: error.right, to: error.action))
    case .failure(let error): call.fail(VarlinkError(error))
    }
  }

  /// Makes readers end their snapshots if these have kept the write-ahead log from restarting for long.
  private func limitLog() {
    let pages = core.store.logPages
    if pages < Self.longLog { longestLog = Self.longLog }
    guard pages >= longestLog, !pool.isDraining else { return }
    // Doubled, so that readers do not end their snapshots after each commit while another reader, such as a backup,
    // keeps the log growing.
    longestLog = pages * 2
    exports.releaseSnapshots()
    pool.drain { [unowned self] in
      exports.releaseSnapshots()
      core.store.checkpoint()
    }
  }
}

extension Ledger {
  /// Whether writing the whole state takes more than a millisecond or two, so that it must not block the loop.
  var isLarge: Bool {
    let size = self.size
    return size.counters + size.groups + 8 * size.formulas > 400
  }
}
