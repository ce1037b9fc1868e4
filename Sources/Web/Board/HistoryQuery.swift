public import CoreAPI
import JSON
public import Varlink

/// A query for past events of counters or of a group, newest first.
public struct HistoryQuery: Sendable, Equatable {
  public let subject: ChartQuery.Subject
  /// The events before this one; `nil` for the newest.
  public let before: Int64?
  /// The earliest time of the events, in microseconds since 1970.
  public let from: Int64?
  /// The time before which the events must lie, in microseconds since 1970.
  public let until: Int64?

  /// The maximum number of events in a response.
  public static let most: Int64 = 100

  /// Parses `counter=NAME`, `counter=NAME,NAME` or `group=NAME`, with `before=NUMBER`, `from=TIME` and `until=TIME`.
  public init(query: Substring) throws(ChartQuery.Fault) {
    guard let values = ChartQuery.values(query), let subject = ChartQuery.Subject(values) else {
      throw ChartQuery.Fault(
        sentence:
          "Ask for ?counter=NAME, ?counter=NAME,NAME or ?group=NAME, with &before=NUMBER, &from=TIME and &until=TIME.")
    }
    self.subject = subject
    from = try ChartQuery.time("from", values)
    until = try ChartQuery.time("until", values)
    before = values["before"].flatMap { Int64($0) }
    if values["before"] != nil {
      guard let before, before > 0 else {
        throw ChartQuery.Fault(sentence: "“before” takes the number of an event.")
      }
    }
  }

  /// - Throws: status 404 if there is no counter or a name is unknown.
  public func filter(in state: BoardState) throws(Routes.Refusal) -> Counters.EventFilter {
    let names = try subject.counters(in: state).map(\.name)
    return Counters.EventFilter(counters: names, from: from, until: until)
  }

  /// The response for the core's reply: the events, and the `before` of the next page if there is one.
  public func content(_ result: Result<Counters.HistoryReply, VarlinkError>, in state: BoardState) -> Routes.Content {
    switch result {
    case .success(let reply):
      let undone = Set(reply.undone)
      return .object(200) { object in
        object.add("events", reply.events) {
          $0.add($1, in: state)
          if undone.contains($1.sequence) { $0.add("undone", true) }
        }
        object.add("next", reply.isMore ? reply.next ?? reply.events.last?.sequence : nil)
      }
    case .failure(let error): return .failed(error)
    }
  }
}
