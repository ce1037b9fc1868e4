public import Board
public import CoreAPI
import Glibc
import JSON
public import Linux
import Tallymark
import Varlink

/// The connection to the core: watches its changes, and reconnects when the core has restarted.
public final class CoreLink {
  private let loop: EventLoop
  private let paths: [String]
  private let news: (News) -> Void
  private var client: AsyncClient?
  /// A connection that replaces `client` once its state has arrived.
  private var next: AsyncClient?
  private var retry: TimerSource?
  private var renewal: TimerSource?
  /// Runs while pages show formulas that change with time.
  private var refresh: TimerSource?
  private var isRefreshing = false
  /// The time at which a page was last open, on the clock of the boot.
  private var seen: Int64 = 0
  private var isRenewing = false
  private var backoff = Backoff()
  private var state = BoardState()
  private var complaint: String?
  private let orders: OrderHandler
  private let charts: ChartHandler
  let inquiry: CoreInquiry
  private let probe: CoreProbe

  /// A message to the server.
  public enum News {
    case state(BoardState)
    case change(Counters.WatchReply)
    case away
    case conditions(BoardConditions)
  }

  /// The time between two queries of formulas that change with time, and the time for which they continue after a page
  /// was open, in nanoseconds. Each page asks every five seconds.
  private static let refreshPace: Int64 = 1_000_000_000
  private static let attention: Int64 = 6_000_000_000

  /// The time within which several changes of definitions cause one query, in nanoseconds.
  private static let settling: Int64 = 50_000_000

  /// Connects in the next turn of `loop`.
  ///
  /// - Parameter paths: sockets of the core, tried in this order.
  public init(loop: EventLoop, paths: [String], news: @escaping (News) -> Void) throws(SystemError) {
    for path in paths { try UnixSocket.validate(path) }
    self.loop = loop
    self.paths = paths
    self.news = news
    orders = OrderHandler(caller: CoreCaller(loop: loop, paths: paths))
    // A separate connection: the core replies in order, and a count must not wait for a long history.
    charts = ChartHandler(caller: CoreCaller(loop: loop, paths: paths))
    inquiry = CoreInquiry(caller: CoreCaller(loop: loop, paths: paths))
    probe = try CoreProbe(loop: loop, caller: CoreCaller(loop: loop, paths: paths))
    retry = try loop.timer { [unowned self] in connect() }
    renewal = try loop.timer { [unowned self] in connect() }
    refresh = try loop.timer { [unowned self] in refreshFormulas() }
    retry?.arm(at: 0)
  }

  /// Connects. A working connection stays until the new one has received the state.
  private func connect() {
    isRenewing = false
    guard next == nil else { return }
    var faults: [String] = []
    for path in paths {
      do throws(SystemError) {
        return begin(try AsyncClient(loop: loop, path: path))
      } catch  where error.code == EAGAIN {
        return lost(sentence: "The core at \(path) takes no connection; if it does not recover, restart tallyd.")
      } catch {
        faults.append(error.description)
      }
    }
    lost(faults.joined(separator: "; "))
  }

  private func begin(_ client: AsyncClient) {
    next = client
    client.onClosed = { [unowned self] error in lost(error?.description ?? "the core closed the connection") }
    var groups: [Counters.Group] = []
    var events: [Counters.Event] = []
    client.send(.groups) { groups = (try? $0.get())?.groups ?? [] }
    client.send(.history(limit: Int64(BoardState.eventsKept))) { events = (try? $0.get())?.events ?? [] }
    var hasBegun = false
    client.stream(.watch()) { [unowned self, unowned client] result in
      switch result {
      case .failure(let error): lost("\(error)")
      case .success(let reply) where hasBegun: take(reply)
      case .success(let reply):
        hasBegun = true
        replace(by: client)
        state.begin(reply, groups: groups, events: events)
        news(.state(state))
      }
    }
  }

  private func replace(by client: AsyncClient) {
    self.client?.close()
    self.client = client
    next = nil
    backoff.reset()
    inquire()
    guard complaint != nil else { return }
    complaint = nil
    ServiceProcess.log(.notice, "The core answers.")
  }

  private func take(_ reply: Counters.WatchReply) {
    let meaning = state.take(reply)
    news(.change(reply))
    refreshLater()
    guard meaning == .definitions, !isRenewing else { return }
    isRenewing = true
    renewal?.arm(at: Clock.boottime() + Self.settling)
  }

  /// Performs an order of a page, or responds to its query; see ``OrderHandler`` and ``ChartHandler``.
  func perform(
    _ order: Routes.Order, of device: PairedDevices.Device?, at client: String?,
    reply: @escaping (Routes.Content) -> Void
  ) {
    switch order {
    case .chart(let query, let form): charts.answer(query, form, to: client, in: state, reply)
    case .history(let query): charts.answer(query, to: client, in: state, reply)
    case .metrics:
      guard self.client != nil else { return reply(state.metrics(now: nil)) }
      probe.ask { [unowned self] answers in
        reply(state.metrics(now: answers && self.client != nil ? Clock.microsecondsSince1970() : nil))
      }
    default: orders.perform(order, of: device, in: state, reply: reply)
    }
  }

  /// Asks the core for the conditions.
  func inquire() {
    seen = Clock.boottime()
    guard client != nil else { return }
    inquiry.conditions { [unowned self] conditions in news(.conditions(conditions)) }
    refreshLater()
  }

  /// Schedules a query of formulas that change with time, while a page is open: the core does not send them.
  private func refreshLater() {
    let now = Clock.boottime()
    guard !isRefreshing, client != nil, state.changesWithTime, now - seen < Self.attention else { return }
    isRefreshing = true
    refresh?.arm(at: now + Self.refreshPace)
  }

  private func refreshFormulas() {
    inquiry.formulas { [unowned self] formulas in
      isRefreshing = false
      let changed = state.differing(formulas)
      if !changed.isEmpty {
        var reply = Counters.WatchReply([:])
        reply[.formulas] = changed
        _ = state.take(reply)
        news(.change(reply))
      }
      refreshLater()
    }
  }

  private func lost(_ reason: String) { lost(sentence: "There is no core: \(reason).") }

  private func lost(sentence: String) {
    client?.close()
    next?.close()
    client = nil
    next = nil
    news(.away)
    if complaint != sentence {
      complaint = sentence
      ServiceProcess.log(.warning, "\(sentence) The page shows when its numbers were last updated.")
    }
    retry?.arm(at: Clock.boottime() + backoff.next())
  }
}
