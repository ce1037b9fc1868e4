import Board
import CoreAPI
import Linux
import Reports
import Varlink

/// Responds to chart queries of pages, with charts that are cached for some seconds, so that many viewers cost the core
/// no more than one.
final class ChartHandler {
  private let core: CoreCaller
  /// The last charts, each with the time until which it is valid, in nanoseconds since boot.
  private var charts: [ChartQuery: (until: Int64, chart: Chart)] = [:]
  /// The queries without a reply from the core.
  private var open: [ChartQuery: Open] = [:]

  /// The viewers that wait for past events, each by its address.
  private var readers: [String?] = []

  /// A query of the core, with the viewers that wait for its chart.
  private struct Open {
    /// The address of the first viewer; `nil` for this machine.
    let client: String?
    var replies: [(form: ChartQuery.Form, reply: (Routes.Content) -> Void)]
  }

  private static let mostQueries = 4
  /// The maximum number of open queries per address, so that a stranger does not occupy all of them.
  private static let mostQueriesOfClient = 2
  private static let mostCached = 64
  /// The time for which a chart is cached, in nanoseconds.
  private static let cacheLifetime: Int64 = 3_000_000_000

  init(caller: CoreCaller) { core = caller }

  /// Responds with a cached chart, with that of an open query, or asks the core for the numbers; refuses with status
  /// 503 beyond four open queries.
  ///
  /// - Parameter client: the viewer's address; `nil` for this machine.
  func answer(
    _ query: ChartQuery, _ form: ChartQuery.Form, to client: String?, in state: BoardState,
    _ reply: @escaping (Routes.Content) -> Void
  ) {
    let now = Clock.boottime()
    charts = charts.filter { $0.value.until > now }
    if let cached = charts[query] { return reply(cached.chart.content(form)) }
    guard open[query] == nil else {
      open[query]?.replies.append((form, reply))
      return
    }
    let isGreedy = client != nil && open.values.count { $0.client == client } >= Self.mostQueriesOfClient
    guard open.count < Self.mostQueries, !isGreedy else { return reply(.busy) }
    let counters: [Counters.Counter]
    do throws(Routes.Refusal) {
      counters = try query.counters(in: state)
    } catch {
      return reply(error.content)
    }
    let (names, title) = (counters.map(\.name), state.title(of: query))
    let frame = query.frame(of: counters, now: Clock.microsecondsSince1970())
    guard let first = frame.bounds.first, let last = frame.bounds.last else { return reply(.busy) }
    let done: (Answer) -> Void = { [unowned self] in finish(query, $0) }
    guard let (caller, answer) = core.begin(done, ifLost: .refused(.noCore)) else { return reply(.noCore) }
    open[query] = Open(client: client, replies: [(form, reply)])
    var totals: Result<Counters.TotalsReply, VarlinkError>?
    caller.send(.totals(counters: names, bounds: frame.bounds, each: true)) { totals = $0 }
    caller.send(.statistics(counters: names, from: first, until: last)) { statistics in
      do {
        guard let totals,
          let chart = query.chart(of: counters, title: title, frame, try totals.get(), try statistics.get())
        else { return answer(.refused(.busy)) }
        answer(.drawn(chart))
      } catch {
        answer(.refused(.failed(error as? VarlinkError ?? .invalidParameter(""))))
      }
    }
    caller.flushNow()
  }

  /// Responds with a page of past events; refuses with status 503 beyond four open queries.
  func answer(
    _ query: HistoryQuery, to client: String?, in state: BoardState, _ reply: @escaping (Routes.Content) -> Void
  ) {
    let isGreedy = client != nil && readers.count { $0 == client } >= Self.mostQueriesOfClient
    guard readers.count < Self.mostQueries, !isGreedy else { return reply(.busy) }
    let filter: Counters.EventFilter
    do throws(Routes.Refusal) {
      filter = try query.filter(in: state)
    } catch {
      return reply(error.content)
    }
    let done: (Routes.Content) -> Void = { [unowned self] content in
      if let place = readers.firstIndex(of: client) { readers.remove(at: place) }
      reply(content)
    }
    guard let (caller, answer) = core.begin(done, ifLost: .noCore) else { return reply(.noCore) }
    readers.append(client)
    caller.send(.history(before: query.before, limit: HistoryQuery.most, filter)) { result in
      answer(query.content(result, in: state))
    }
    caller.flushNow()
  }

  private enum Answer {
    case drawn(Chart)
    case refused(Routes.Content)
  }

  private func finish(_ query: ChartQuery, _ answer: Answer) {
    let replies = open.removeValue(forKey: query)?.replies ?? []
    switch answer {
    case .drawn(let chart):
      if charts.count >= Self.mostCached, let oldest = charts.min(by: { $0.value.until < $1.value.until }) {
        charts[oldest.key] = nil
      }
      charts[query] = (Clock.boottime() + Self.cacheLifetime, chart)
      for one in replies { one.reply(chart.content(one.form)) }
    case .refused(let content):
      for one in replies { one.reply(content) }
    }
  }
}
