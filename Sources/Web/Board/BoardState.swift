public import CoreAPI
import Counting
import Reports

/// The counters, formulas, groups and last events, according to the core.
public struct BoardState: Sendable {
  public private(set) var counters: [Counters.Counter] = []
  public private(set) var formulas: [Counters.Formula] = []
  public private(set) var groups: [Counters.Group] = []
  /// The last events, newest first.
  private var known: [Counters.Event] = []
  /// The last events that pages show, newest first.
  public var events: [Counters.Event] { Array(known.prefix(Self.eventsShown)) }
  /// The last changes of counters' settings that are not undone, newest first. They are kept longer than the events,
  /// because a person may undo one after many counts.
  public private(set) var changes: [Counters.Event] = []
  public private(set) var current: String?
  /// The sequence number of the last event.
  public var sequence: Int64 { known.first?.sequence ?? 0 }

  public static let eventsShown = 5
  /// The number of kept events, more than pages show: a person may press Undo while the event leaves the page.
  public static let eventsKept = 64
  static let changesKept = 20

  public init() {}

  /// Whether values of formulas may change without an event: while a stopwatch runs, and rates always.
  public var changesWithTime: Bool {
    !formulas.isEmpty && (counters.contains { $0.since != nil } || formulas.contains { $0.formula.contains("rate(") })
  }

  /// The formulas whose values differ from those that pages show.
  public func differing(_ others: [Counters.Formula]) -> [Counters.Formula] {
    let texts = Dictionary(formulas.map { ($0.id, $0.text) }) { first, _ in first }
    return others.filter { texts[$0.id] != nil && texts[$0.id] != $0.text }
  }

  /// Whether a page may request the undo of an event: one of the last events, whose undo needs no right that the device
  /// lacks. A device that may set up can request any undo: it has the right, and the core decides.
  public func canUndo(_ sequence: Int64, isSettingUp: Bool) -> Bool {
    isSettingUp || known.contains { $0.sequence == sequence && canBeUndoneByPage($0) }
  }

  /// Whether an event only counted, or wrote a note. Its undo then needs only the right to count. Of events that were
  /// made together, such as counts of two counters, all are undone, so all must be known.
  func canBeUndoneByPage(_ event: Counters.Event) -> Bool {
    guard event.onlyCounted else { return false }
    guard let batch = event.batch else { return true }
    let together = known.filter { $0.batch == batch }
    return together.contains { $0.sequence == batch }
      && together.allSatisfy { $0.onlyCounted || $0.knownKind == .renewed }
  }

  /// The number of known counters that were changed together.
  func countersTogether(in batch: Int64) -> Int64 {
    Int64(Set(known.lazy.filter { $0.batch == batch }.map(\.id)).count)
  }

  /// The icons of all counters, formulas and groups.
  public var icons: Set<String> {
    Set([counters.map(\.icon), formulas.map(\.icon), groups.map(\.icon)].joined().compactMap(\.self))
  }

  /// The title of a counter or a group, for a heading.
  public func title(of query: ChartQuery) -> String {
    switch query.subject {
    case .counters(let names):
      names.map { name in counters.first { $0.name == name }?.title ?? name }.joined(separator: ", ")
    case .group(let name): groups.first { $0.name == name }?.title ?? name
    }
  }

  /// The values in Prometheus' format. Without a core, the text says only that the core is down.
  ///
  /// - Parameter now: in microseconds since 1970.
  public func metrics(now: Int64?) -> Routes.Content {
    let text = now.map { Exposition(counters, formulas, lastEvent: sequence, now: $0) } ?? Exposition()
    let headers = [("Content-Type", Exposition.contentType), ("Cache-Control", "no-store")]
    return Routes.Content(status: 200, headers: headers, body: Array(text.text.utf8))
  }

  /// The kind of change in a reply of the core's stream.
  public enum News: Sendable, Equatable {
    /// Values changed; ``BoardState`` has them.
    case values
    /// Counters, formulas or groups were created, changed or removed: the whole state must be requested again.
    case definitions
  }

  /// Replaces everything by the first reply of a new stream.
  ///
  /// - Parameter events: the last events, newest first.
  public mutating func begin(_ first: Counters.WatchReply, groups: [Counters.Group], events: [Counters.Event]) {
    counters = first.counters
    formulas = first.formulas
    current = first.current ?? counters.first(where: \.isCurrent)?.name
    self.groups = groups
    // In another journal these numbers belong to other events.
    if let last = known.first, !events.contains(where: { $0.sequence == last.sequence && $0.time == last.time }) {
      changes = []
    }
    for event in events.reversed() { remember(event) }
    known = Array(events.prefix(Self.eventsKept))
  }

  /// Records a change of settings, and removes a change that the event undoes.
  private mutating func remember(_ event: Counters.Event) {
    changes.removeAll { $0.sequence == event.undoes || $0.sequence == event.sequence }
    if event.isSetting { changes = Array(([event] + changes).prefix(Self.changesKept)) }
  }

  /// Applies a later reply.
  public mutating func take(_ reply: Counters.WatchReply) -> News {
    var news = News.values
    if let all = reply.state {
      counters = all
      news = .definitions
    }
    for formula in reply.formulas {
      if let place = formulas.firstIndex(where: { $0.id == formula.id }) {
        formulas[place] = formula
      } else {
        news = .definitions
      }
    }
    if let current = reply.current, current != self.current {
      self.current = current
      for index in counters.indices { counters[index][.current] = counters[index].name == current }
    }
    guard let event = reply.event else { return news }
    known.insert(event, at: 0)
    remember(event)
    if known.count > Self.eventsKept { known.removeLast() }
    guard event.alterations.isEmpty, let counter = reply.counter,
      let place = counters.firstIndex(where: { $0.id == counter.id })
    else { return event.knownKind == .armed ? news : .definitions }
    counters[place] = counter
    return news
  }
}

extension Counters.Event {
  /// Whether the event changed settings of one counter, by itself.
  var isSetting: Bool { knownKind == .changed && !alterations.isEmpty && batch == nil && !counter.isEmpty }

  /// Whether the event did nothing but count or write a note.
  fileprivate var onlyCounted: Bool {
    knownKind.map { $0.effect != .none || $0 == .noted } ?? false && !counter.isEmpty
  }
}
