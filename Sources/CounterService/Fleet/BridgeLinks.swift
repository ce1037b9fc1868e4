import CountersAPI
import Counting
import Fleet
import Varlink

/// The bridges that are linked, and what is to be published.
///
/// An object: a link that ends while it is sent to removes itself.
final class BridgeLinks {
  private(set) var calls: [ObjectIdentifier: Call] = [:]
  /// The last report of the bridge; `nil` before the first.
  private(set) var report: Report?
  /// Counters whose definition is to be published.
  var definitions: Set<Counter.ID> = []
  /// Counters and periods of which something was learned since the last report of knowledge.
  var known: Set<CounterPeriod> = []
  /// When each counter was published last, in nanoseconds of the time since the boot.
  var sent: [CounterID: Int64] = [:]
  /// The registers that were published, to know how many counts an entry stands for.
  private var published: [CounterPeriod: [WriterID: [Register]]] = [:]
  var lastReport: Int64 = .min / 2
  var isReporting = false

  private static let mostPublished = 64
  /// The number of unread bytes at which a link is ended. A new link gets everything.
  private static let patience = 4 << 20

  struct Report {
    let isConnected: Bool
    let trouble: String?
  }

  var isEmpty: Bool { calls.isEmpty }

  func add(_ call: Call) { calls[ObjectIdentifier(call)] = call }

  func remove(_ id: ObjectIdentifier) {
    calls[id] = nil
    if calls.isEmpty { report = nil }
  }

  func hear(_ report: Report) { self.report = report }

  func send(_ reply: EncodedObject) {
    for (id, call) in calls {
      guard call.backlog <= Self.patience else {
        calls[id] = nil
        call.fail(Counters.Refusal(.storageFailed, message: "The bridge reads too slowly; it must link again.").error)
        continue
      }
      call.replyContinuing(reply)
    }
  }

  func send(_ publications: [Counters.Publication]) {
    guard !publications.isEmpty, !isEmpty else { return }
    send(EncodedObject { $0.add(Counters.Linked.Member.publications, publications) { $0.add($1) } })
  }

  func remember(_ registers: [WriterID: Register], of period: CounterPeriod) {
    // A bound: what is forgotten counts as unheard until its last entry is heard.
    if published.count > 4 * Knowledge.maximumCounters { published.removeAll() }
    for (writer, register) in registers where published[period]?[writer]?.last != register {
      published[period, default: [:]][writer, default: []].append(register)
      if published[period]?[writer]?.count ?? 0 > Self.mostPublished {
        published[period]?[writer]?.removeFirst()
      }
    }
  }

  /// The number of counts that a station has heard which reports the entry `number`.
  func counts(of register: Register, by writer: WriterID, of period: CounterPeriod, upTo number: Int64) -> Int64 {
    if number >= register.number { return register.counts }
    return published[period]?[writer]?.last { $0.number <= number }?.counts ?? 0
  }
}
