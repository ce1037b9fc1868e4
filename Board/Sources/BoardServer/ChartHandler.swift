import Board
import CountersAPI
import Platform
import Plots
import Varlink

/// Answers chart queries of pages, with charts that are cached for some seconds, so that many viewers cost the core no more
/// than one.
final class ChartHandler {
  private let core: CoreCaller
  /// The last charts, each with the time until which it is valid, in nanoseconds since boot.
  private var charts: [ChartQuery: (until: Int64, chart: Chart)] = [:]

  private static let mostQueries = 4
  private static let mostCached = 64
  /// In nanoseconds.
  private static let cacheLifetime: Int64 = 3_000_000_000

  init(caller: CoreCaller) { core = caller }

  /// Answers with a cached chart, or asks the core for the numbers; refuses with status 503 beyond four open queries.
  func answer(
    _ query: ChartQuery, _ form: ChartQuery.Form, in state: BoardState, _ reply: @escaping (Site.Content) -> Void
  ) {
    let now = Clock.boottime()
    charts = charts.filter { $0.value.until > now }
    if let cached = charts[query] { return reply(cached.chart.content(form)) }
    guard core.waitingCount < Self.mostQueries, charts.count < Self.mostCached else { return reply(.busy) }
    let counters: [Counters.Counter]
    do throws(Site.Refusal) {
      counters = try query.counters(in: state)
    } catch {
      return reply(error.content)
    }
    let (names, title) = (counters.map(\.name), state.title(of: query))
    let frame = query.frame(of: counters, now: Clock.microsecondsSince1970())
    guard let first = frame.bounds.first, let last = frame.bounds.last else { return reply(.busy) }
    guard let (caller, answer) = core.begin(reply, ifLost: .noCore) else { return reply(.noCore) }
    var totals: Result<Counters.Totals, VarlinkError>?
    caller.send(.totals(counters: names, bounds: frame.bounds, each: true)) { totals = $0 }
    caller.send(.statistics(counters: names, from: first, until: last)) { [unowned self] statistics in
      do {
        guard let totals,
          let chart = query.chart(of: counters, title: title, frame, try totals.get(), try statistics.get())
        else { return answer(.busy) }
        charts[query] = (Clock.boottime() + Self.cacheLifetime, chart)
        answer(chart.content(form))
      } catch {
        answer(.failed(error as? VarlinkError ?? .invalidParameter("")))
      }
    }
    caller.flushNow()
  }
}
