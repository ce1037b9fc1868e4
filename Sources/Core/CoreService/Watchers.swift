import CoreAPI
import Counting
import JSON
import Linux
import Varlink

/// All calls of `Watch`. Sends each event after its commit, and the whole state to clients that read too slowly. The
/// state is read when it is sent, and nothing changes between commit and send, so no client sees a state that could be
/// lost.
final class Watchers {
  private unowned let core: Core
  private let pool: ReadPool
  private var watchers: [UInt64: Watcher] = [:]
  private var lastNumber: UInt64 = 0
  /// The number of the last sent state or formula. Later ones have larger numbers.
  private var moment: UInt64 = 0
  /// The last value sent per formula, with the number (``moment``) since which all watchers have the value.
  private var sent: [Counter.ID: (formula: EncodedObject, moment: UInt64)] = [:]
  /// Durable events that are not encoded yet.
  private var untold: [Event] = []
  private var telling: DeferredSource?
  /// Changes that some watchers have not been sent yet, in order.
  private var changes: [Changes] = []
  /// The number of the first of ``changes``.
  private var firstChanges: UInt64 = 0
  /// The watchers to which changes are sent next.
  private var line: ArraySlice<UInt64> = []
  private var sending: DeferredSource?
  /// Runs while a watcher is behind, to detect that it has caught up when no event occurs.
  private var retry: TimerSource?

  private struct Watcher {
    let call: Call
    /// The IDs of the watched counters and formulas; `nil` for all.
    let counters: Set<Counter.ID>?
    /// The moment of the last state sent to the watcher.
    var began: UInt64 = 0
    /// The number of the next changes to send.
    var next: UInt64 = 0
    var isBehind = false
    /// Replies that must follow the state that a reader thread is writing; `nil` for none.
    var following: Following?
  }

  /// The events of some commits and the changed formulas, encoded, because they may be sent later.
  private struct Changes {
    /// The replies, each with the counter, group or formula that it concerns.
    let events: [(id: Counter.ID, parts: Parts, text: EncodedObject)]
    let formulas: [(id: Counter.ID, formula: EncodedObject, known: UInt64)]
    /// The message for clients that watch only formulas.
    let state: Parts
    /// The reply with the last event and all formulas; `nil` without formulas.
    let whole: EncodedObject?
    let bytes: Int
  }

  private struct Parts {
    var event: EncodedObject?
    var counter: EncodedObject?
    let current: String?
  }

  private struct Following {
    var job: ReadJob?
    var replies: [EncodedObject] = []
    var bytes = 0
  }

  /// The number of unread bytes above which nothing more is sent to a watcher.
  private static let patience = 256 * 1024

  /// The interval of checks for watchers that have caught up, in nanoseconds.
  private static let interval: Int64 = 100_000_000

  init(core: Core, loop: EventLoop, pool: ReadPool) throws(SystemError) {
    self.core = core
    self.pool = pool
    retry = try loop.timer { [unowned self] in catchUp() }
    telling = try loop.deferred(priority: .normal) { [unowned self] in
      encode()
      sendInTurn()
    }
    // Sockets have the same priority, so that sending and calls take turns.
    sending = try loop.deferred(priority: .afterwards) { [unowned self] in sendInTurn() }
  }

  /// Starts a watch: sends the state, then every change.
  func add(_ call: Call) {
    guard call.requireMore() else { return }
    core.showLearned()
    core.whenDurable { [self] _ in
      let counters: Set<Counter.ID>?
      do {
        counters = try Self.counters(call, core.ledger)
      } catch {
        return call.fail(VarlinkError(error))
      }
      // Earlier events are part of the first state.
      encode()
      if watchers.isEmpty { sent.removeAll() }
      call.forgetParameters()
      lastNumber += 1
      let number = lastNumber
      watchers[number] = Watcher(call: call, counters: counters)
      call.onGone = { [weak self] in self?.remove(number) }
      sendState(to: number)
    }
  }

  /// Ends the calls for which `refusal` returns an error, because the rights have changed.
  func end(where refusal: (Call) -> VarlinkError?) {
    for (number, watcher) in watchers {
      guard let error = refusal(watcher.call) else { continue }
      remove(number)
      watcher.call.fail(error)
    }
  }

  private func remove(_ number: UInt64) {
    guard let watcher = watchers.removeValue(forKey: number), let job = watcher.following?.job else { return }
    pool.cancel(job)
  }

  private static func counters(_ call: Call, _ ledger: Ledger) throws(CountingError) -> Set<Counter.ID>? {
    guard case .array(let values)? = call.parameters[Counters.Parameter.counters] else { return nil }
    var counters: Set<Counter.ID> = []
    for case .string(let name) in values {
      if let formula = ledger.formula(named: name) {
        counters.insert(formula.id)
      } else {
        counters.insert(try ledger.find(.named(name)).id)
      }
    }
    return counters
  }

  // MARK: Events

  /// Queues durable events. They are sent after the replies to waiting calls, or before the next change.
  func notify(_ events: [Event]) {
    guard !watchers.isEmpty else { return }
    untold += events
    telling?.schedule()
  }

  /// Sends all queued events. The present state must be durable.
  func notifyAll() {
    encode()
    sendChanges(until: .max)
  }

  /// Encodes all queued events for later sending. The present state must be durable.
  func encode() {
    guard !untold.isEmpty else { return }
    let events = untold
    untold.removeAll(keepingCapacity: true)
    telling?.cancel()
    core.readClocks()
    let encoded = events.flatMap { event in
      let members = event.subject == .group && event[.name] != nil ? core.ledger.members(of: event.counter) : []
      return ([(event.counter, parts(of: event))] + members.map { ($0.id, parts(of: $0)) })
        .map { (id: $0, parts: $1, text: Self.reply($1, [])) }
    }
    let news = self.news(after: events)
    let state = Parts(current: core.ledger.currentName)
    let whole = news.isEmpty ? nil : Self.reply(encoded.last?.parts ?? state, news.map(\.formula))
    let bytes = encoded.reduce(whole?.count ?? 0) { $0 + $1.text.count }
    if changes.reduce(0, { $0 + $1.bytes }) > Self.mostUnsent { dropChanges() }
    changes.append(Changes(events: encoded, formulas: news, state: state, whole: whole, bytes: bytes))
    sending?.schedule()
  }

  /// The number of the changes that will be encoded next.
  private var nextChanges: UInt64 { firstChanges + UInt64(changes.count) }

  /// The number of bytes of unsent changes above which changes are dropped.
  private static let mostUnsent = 1 << 20

  /// Drops the unsent changes. The watchers concerned get the whole state later.
  private func dropChanges() {
    let next = nextChanges
    for (number, watcher) in watchers where !watcher.isBehind && watcher.next < next { fallBehind(number) }
    changes.removeAll()
    (firstChanges, line) = (next, [])
  }

  /// The time after which sending pauses, in nanoseconds: a thousand watchers take many milliseconds.
  private static let sendingInATurn: Int64 = 250_000

  private func sendInTurn() { sendChanges(until: Clock.monotonic() &+ Self.sendingInATurn) }

  /// Sends changes to watchers, one after the other, until ``Clock/monotonic()`` reaches `end`.
  private func sendChanges(until end: Int64) {
    while !changes.isEmpty {
      if line.isEmpty {
        let next = nextChanges
        line = watchers.filter { !$1.isBehind && $1.next < next }.map(\.key).sorted()[...]
        guard !line.isEmpty else {
          changes.removeAll(keepingCapacity: true)
          firstChanges = next
          break
        }
      }
      while let number = line.popFirst() {
        sendChanges(to: number)
        if Clock.monotonic() >= end {
          sending?.schedule()
          return
        }
      }
    }
    sending?.cancel()
  }

  private func sendChanges(to number: UInt64) {
    guard let watcher = watchers[number], !watcher.isBehind, watcher.next >= firstChanges else { return }
    watchers[number]?.next = nextChanges
    for changes in changes[Int(watcher.next - firstChanges)...] {
      let concerning = changes.events.filter { watcher.counters?.contains($0.id) ?? true }
      let formulas = changes.formulas.filter {
        $0.known < watcher.began && watcher.counters?.contains($0.id) ?? true
      }
      var mine = concerning.map(\.text)
      if !formulas.isEmpty {
        // Formulas are sent together with the last event.
        _ = mine.popLast()
        let isWhole = formulas.count == changes.formulas.count && concerning.count == changes.events.count
        let reply = { Self.reply(concerning.last?.parts ?? changes.state, formulas.map(\.formula)) }
        mine.append(isWhole ? changes.whole ?? reply() : reply())
      }
      for reply in mine where watchers[number]?.isBehind == false { send(reply, to: number) }
    }
  }

  private func send(_ reply: EncodedObject, to number: UInt64) {
    guard let watcher = watchers[number] else { return }
    if let following = watcher.following {
      guard following.bytes + reply.count <= Self.patience else { return fallBehind(number) }
      watchers[number]?.following?.replies.append(reply)
      watchers[number]?.following?.bytes += reply.count
    } else if watcher.call.backlog <= Self.patience {
      watcher.call.replyContinuing(reply)
    } else {
      fallBehind(number)
    }
  }

  /// The formulas that events concern. `known` is the moment since which all watchers have this value, 0 if there is
  /// none; watchers whose state was sent later may have another value.
  private func news(after events: [Event]) -> [(id: Counter.ID, formula: EncodedObject, known: UInt64)] {
    // A formula that was removed and restored is sent again, even if its value is the same.
    for event in events where event.subject == .formula && event.presence != .unchanged { sent[event.counter] = nil }
    let concerned = core.ledger.formulas(concernedBy: events)
    guard !concerned.isEmpty else { return [] }
    moment += 1
    let standings = core.ledger.standings
    return concerned.map { formula in
      let now = EncodedObject { $0.add(formula, standings) }
      let before = sent.updateValue((now, moment), forKey: formula.id)
      // A later sent state may have contained another value, because rates change with time.
      return (formula.id, now, before?.formula == now ? before?.moment ?? 0 : 0)
    }
  }

  // MARK: States

  /// Sends the whole state to all watchers, because all of it may have changed.
  func startOver() {
    untold.removeAll()
    (firstChanges, changes, line) = (nextChanges, [], [])
    sent.removeAll()
    let end = Clock.monotonic() &+ Self.sendingInATurn
    for (number, watcher) in watchers where !watcher.isBehind {
      if watcher.call.backlog <= Self.patience, watcher.following == nil, Clock.monotonic() < end {
        sendState(to: number, isResynchronised: true)
      } else {
        fallBehind(number)
      }
    }
  }

  private func fallBehind(_ number: UInt64) {
    watchers[number]?.isBehind = true
    watchers[number]?.following?.replies = []
    retry?.arm(at: Clock.boottime() &+ Self.interval)
  }

  /// Sends the state, once it is durable, to watchers that have caught up.
  private func catchUp() {
    core.whenDurable { [weak self] _ in self?.sendStates() }
  }

  private func sendStates() {
    encode()
    let end = Clock.monotonic() &+ Self.sendingInATurn
    for (number, watcher) in watchers where watcher.isBehind && watcher.following == nil && watcher.call.backlog == 0 {
      // The other watchers follow after the calls that are ready now.
      if Clock.monotonic() >= end {
        retry?.arm(at: Clock.boottime())
        return
      }
      watchers[number]?.isBehind = false
      sendState(to: number, isResynchronised: true)
    }
    if watchers.values.contains(where: \.isBehind) { retry?.arm(at: Clock.boottime() &+ Self.interval) }
  }

  /// Sends the state. A large state is written by a reader thread; events that happen meanwhile follow it.
  private func sendState(to number: UInt64, isResynchronised: Bool = false) {
    guard let watcher = watchers[number] else { return }
    moment += 1
    watchers[number]?.began = moment
    watchers[number]?.next = nextChanges
    let (ledger, counters) = (core.ledger, watcher.counters)
    guard ledger.isLarge else {
      return watcher.call.replyContinuing(Self.state(of: counters, in: ledger, isResynchronised: isResynchronised))
    }
    watchers[number]?.following = Following()
    let job = pool.run(for: watcher.call.peer.user) { _ in
      Self.state(of: counters, in: ledger, isResynchronised: isResynchronised)
    } then: { [weak self] result in
      self?.follow(result, to: number)
    }
    watchers[number]?.following?.job = job
  }

  private func follow(_ state: Result<EncodedObject, any Error>, to number: UInt64) {
    guard let watcher = watchers[number] else { return }
    watchers[number]?.following = nil
    switch state {
    case .success(let state): watcher.call.replyContinuing(state)
    case .failure(let error):
      watchers[number] = nil
      return watcher.call.fail(VarlinkError(error))
    }
    // Queued replies of a watcher that is behind were dropped: the watcher gets another state.
    for reply in watcher.following?.replies ?? [] { watcher.call.replyContinuing(reply) }
  }

  private static func state(of counters: Set<Counter.ID>?, in ledger: Ledger, isResynchronised: Bool) -> EncodedObject {
    typealias Member = Counters.WatchReply.Member
    return EncodedObject { reply in
      reply.add(Member.counters, ledger.all.filter { counters?.contains($0.id) ?? true }) { $0.add($1, in: ledger) }
      reply.add(ledger.formulas.filter { counters?.contains($0.id) ?? true }, ledger.standings)
      reply.add(Member.current, ledger.currentName)
      if isResynchronised { reply.add(Member.resynchronise, true) }
    }
  }

  private func parts(of event: Event) -> Parts {
    let ledger = core.ledger
    return Parts(
      event: EncodedObject { $0.add(event, in: ledger) },
      counter: ledger[event.counter].map { counter in
        EncodedObject { $0.add(counter, value: event.value, in: ledger) }
      }, current: ledger.currentName)
  }

  /// A message with a counter and no event, because the counter's group was renamed.
  private func parts(of counter: Counter) -> Parts {
    let ledger = core.ledger
    return Parts(counter: EncodedObject { $0.add(counter, in: ledger) }, current: ledger.currentName)
  }

  private static func reply(_ parts: Parts, _ formulas: [EncodedObject]) -> EncodedObject {
    typealias Member = Counters.WatchReply.Member
    return EncodedObject { reply in
      reply.add(Member.event, parts.event)
      reply.add(Member.counter, parts.counter)
      reply.add(Member.current, parts.current)
      if !formulas.isEmpty { reply.add(Member.formulas, formulas) }
    }
  }
}

extension Ledger {
  fileprivate var currentName: String? { currentCounter?.name.text }
}
