import Counting
import Platform
import Varlink

/// Everyone who watches: told of each event after its commit, and told to start over when they fall behind.
///
/// How things stand is looked up only when they are told, and nothing changes between a commit and that; so nobody hears
/// of what could still be lost.
final class Watchers {
  private unowned let core: Core
  private var watchers: [ObjectIdentifier: Watcher] = [:]
  /// What was told of formulas last, as far as those who watch now have heard of it.
  private var told: [Counter.ID: ObjectText] = [:]
  /// What is durable and not told yet.
  private var untold: [Event] = []
  private var telling: DeferredSource?
  /// Runs while somebody is behind, to notice that he has caught up although nothing happens.
  private var retry: TimerSource?

  private struct Watcher {
    let call: Call
    /// The counters and formulas that are watched, whatever they are called later; `nil` for all.
    let counters: Set<Counter.ID>?
    var isBehind = false
  }

  /// A watcher with more unread bytes than this is sent nothing more until he has read them.
  private static let patience = 256 * 1024

  init(core: Core, loop: EventLoop) throws(SystemError) {
    self.core = core
    retry = try loop.timer { [unowned self] in catchUp() }
    telling = try loop.deferred(priority: .normal) { [unowned self] in tellAll() }
  }

  /// Answers how things stand, and every change from then on.
  func add(_ call: Call) {
    guard call.requireMore() else { return }
    core.whenDurable { [self] _ in
      let counters: Set<Counter.ID>?
      do {
        counters = try Self.counters(call, core.ledger)
      } catch {
        return call.fail(VarlinkError(error))
      }
      // What is told from now on must have happened after the state that comes first.
      tellAll()
      if watchers.isEmpty { told.removeAll() }
      call.forgetParameters()
      let watcher = Watcher(call: call, counters: counters)
      watchers[ObjectIdentifier(call)] = watcher
      call.onGone = { [weak self, id = ObjectIdentifier(call)] in self?.watchers[id] = nil }
      call.replyContinuing(state(for: watcher))
    }
  }

  private static func counters(_ call: Call, _ ledger: Ledger) throws(CountingError) -> Set<Counter.ID>? {
    guard case .array(let values)? = call.parameters["counters"] else { return nil }
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

  /// Takes notice of events that are durable now, to tell them when those who wait for an answer have it, or before
  /// anything else changes.
  func tell(_ events: [Event]) {
    guard !watchers.isEmpty else { return }
    untold += events
    telling?.schedule()
  }

  /// Tells all that is not told yet; what stands then must be durable.
  func tellAll() {
    guard !untold.isEmpty else { return }
    let events = untold
    untold.removeAll(keepingCapacity: true)
    telling?.cancel()
    core.readClocks()
    let replies = events.map { (event: $0, text: reply(for: $0)) }
    let news = self.news(after: events)
    for (id, watcher) in watchers where !watcher.isBehind {
      let concerning = replies.filter { watcher.counters?.contains($0.event.counter) ?? true }
      var mine = concerning.map(\.text)
      let formulas = news.filter { watcher.counters?.contains($0.id) ?? true }.map(\.formula)
      if !formulas.isEmpty {
        // They come with the last event.
        _ = mine.popLast()
        mine.append(reply(for: concerning.last?.event, formulas))
      }
      for reply in mine {
        guard watcher.call.backlog <= Self.patience else {
          fallBehind(id)
          break
        }
        watcher.call.replyContinuing(reply)
      }
    }
  }

  /// The formulas that are others after events than they were when they were told last. Only those are computed that
  /// the events concern.
  private func news(after events: [Event]) -> [(id: Counter.ID, formula: ObjectText)] {
    // One that went and came back is news, though it is as it was.
    for event in events where event.subject == .formula && event.presence != .unchanged { told[event.counter] = nil }
    let concerned = core.ledger.formulas(concernedBy: events)
    guard !concerned.isEmpty else { return [] }
    let standings = core.ledger.standings
    return concerned.compactMap { formula in
      let now = ObjectText { $0.add(formula, standings) }
      return told.updateValue(now, forKey: formula.id) == now ? nil : (formula.id, now)
    }
  }

  /// Everything may have become another: everyone starts over.
  func startOver() {
    untold.removeAll()
    told.removeAll()
    for (id, watcher) in watchers where !watcher.isBehind {
      guard watcher.call.backlog <= Self.patience else {
        fallBehind(id)
        continue
      }
      watcher.call.replyContinuing(state(for: watcher, isAnew: true))
    }
  }

  private func fallBehind(_ id: ObjectIdentifier) {
    watchers[id]?.isBehind = true
    retry?.arm(at: Clock.boottime() &+ 100_000_000)
  }

  /// Sends the present state, once it is durable, to those who were behind and have read everything.
  private func catchUp() {
    core.whenDurable { [weak self] _ in self?.sendStates() }
  }

  private func sendStates() {
    tellAll()
    for (id, watcher) in watchers where watcher.isBehind && watcher.call.backlog == 0 {
      watchers[id]?.isBehind = false
      watcher.call.replyContinuing(state(for: watcher, isAnew: true))
    }
    if watchers.values.contains(where: \.isBehind) { retry?.arm(at: Clock.boottime() &+ 100_000_000) }
  }

  private func state(for watcher: Watcher, isAnew: Bool = false) -> ObjectText {
    let ledger = core.ledger
    return ObjectText { reply in
      reply.add("counters", ledger.all.filter { watcher.counters?.contains($0.id) ?? true }) {
        $0.add($1, in: ledger)
      }
      reply.add(ledger.formulas.filter { watcher.counters?.contains($0.id) ?? true }, ledger.standings)
      reply.add("current", ledger.currentName)
      if isAnew { reply.add("resynchronise", true) }
    }
  }

  private func reply(for event: Event?, _ formulas: [ObjectText] = []) -> ObjectText {
    let ledger = core.ledger
    return ObjectText { reply in
      if let event {
        reply.add("event") { $0.add(event, in: ledger) }
        if let counter = ledger[event.counter] {
          reply.add("counter") { $0.add(counter, value: event.value, in: ledger) }
        }
      }
      reply.add("current", ledger.currentName)
      if !formulas.isEmpty { reply.add("formulas", formulas) }
    }
  }
}

extension Ledger {
  fileprivate var currentName: String? { current.flatMap { self[$0] }?.name.text }
}
