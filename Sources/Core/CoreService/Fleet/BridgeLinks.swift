import CoreAPI
import Counting
import Fleet
import JSON
import Linux
import Text
import Varlink

/// The linked bridges, and the state of publishing.
///
/// An object, because a link whose call ends during a send removes itself.
final class BridgeLinks {
  private var links: [ObjectIdentifier: Link] = [:]
  /// The last report of the bridge; `nil` before the first.
  private(set) var report: Report?
  /// The time of the connection to the broker, in nanoseconds of ``Clock/boottime()``; `nil` without one.
  private(set) var connected: Int64? {
    didSet { if oldValue != nil, connected == nil { onLost() } }
  }
  /// The time until which a copy of this station counts as present, in nanoseconds of ``Clock/boottime()``. Outlives the
  /// bridge, because a new one does not know of the copy yet.
  private var copiedUntil: Int64 = .min
  /// The time of the last report of the known counts, in nanoseconds of ``Clock/boottime()``.
  private var reported: Int64 = .min / 2
  /// Called when the connection to the broker is lost, or the last bridge disconnects.
  var onLost: () -> Void = {}
  /// Counters whose definition is to be published.
  var definitions: Set<Counter.ID> = []
  /// The rows that wait for the next reports.
  var turns = ReportScheduler()
  /// The time of each counter's last publication, in nanoseconds since the boot.
  var sent: [CounterID: Int64] = [:]
  /// The published registers with their times, from which the number and age of the changes after an entry are
  /// computed.
  private var published: [CounterPeriod: [WriterID: [(register: Register, time: Int64)]]] = [:]
  /// For each period whose own acts were all published on this connection: the present writer at that time.
  var announced: [CounterPeriod: WriterID?] = [:]
  /// Whether the bridges know that there is something to report.
  var isReportOffered = false

  /// The registers kept per writer: 25 s at five publications a second; each station reports twice in that time.
  private static let mostPublished = 128
  /// The number of messages that may wait for a bridge.
  private static let mostWaiting = 1 << 18
  /// The time for which a copy counts as present after a bridge has reported it, in nanoseconds.
  private static let copyLapse: Int64 = 3_600_000_000_000
  private let limits: FleetService.Limits

  /// The call of a bridge, with the messages to send when the bridge has read earlier ones.
  private final class Link {
    let call: Call
    var waiting: [Portion] = []

    init(_ call: Call) { self.call = call }

    /// Appends messages to the queue.
    func add(_ publications: ArraySlice<Counters.Publication>) {
      guard !publications.isEmpty else { return }
      if waiting.isEmpty { waiting = [Portion()] }
      waiting[waiting.count - 1].publications += publications
    }
  }

  /// The kinds of replies with other members than messages.
  enum Head {
    /// The settings. Their messages are complete and a report follows, so they replace waiting messages.
    case settings
    case reportable
    case left
  }

  /// Waiting messages; `head` has the other members of the first reply with them.
  private struct Portion {
    var head: (kind: Head, reply: EncodedObject)?
    var publications: ArraySlice<Counters.Publication> = []
  }

  struct Report {
    let isConnected: Bool
    /// The bridge's troubles. These and the problems have the prefix "Bridge:", because any client with the right to
    /// share may report some.
    let troubles: [String]
    /// The problems of stations' messages and names.
    let problems: [String]
    /// The sentences for people. A bridge that is neither connected nor in trouble is about to connect, and a problem
    /// would seem to be the reason.
    var sentences: [String] { isConnected || !troubles.isEmpty ? troubles + problems : [] }
    /// Whether a copy of this station counts under its name.
    let isCopied: Bool

    /// The maximum number of sentences (more than the bridge has kinds of trouble), and of characters in each.
    private static let (mostTroubles, longestTrouble) = (16, 500)
    private static let (mostProblems, longestProblem) = (40, 1_000)

    /// - Parameter trouble: sentences, separated by newlines.
    init(isConnected: Bool, trouble: String? = nil, problems: [String] = [], isCopied: Bool = false) {
      self.isConnected = isConnected
      self.problems = problems.prefix(Self.mostProblems)
        .map { "Bridge: \($0.prefix(Self.longestProblem))".printableLine }
      self.isCopied = isCopied
      troubles = (trouble ?? "").split(whereSeparator: \.isNewline).prefix(Self.mostTroubles)
        .map { "Bridge: \($0.prefix(Self.longestTrouble))" }
    }
  }

  init(_ limits: FleetService.Limits) { self.limits = limits }

  var isEmpty: Bool { links.isEmpty }
  var calls: [Call] { links.values.map(\.call) }

  func add(_ call: Call) {
    let id = ObjectIdentifier(call)
    links[id] = Link(call)
    call.onGone = { [weak self] in self?.remove(id) }
    call.onTaken = { [weak self] in self?.goOn(id) }
  }

  func remove(_ id: ObjectIdentifier) {
    links[id] = nil
    if links.isEmpty { (report, connected) = (nil, nil) }
  }

  /// Whether a copy of this station has counted under its name within an hour.
  func isCopied(at now: Int64) -> Bool { now < copiedUntil }

  func hear(_ report: Report, at now: Int64 = Clock.boottime()) {
    self.report = report
    connected = report.isConnected ? connected ?? now : nil
    if report.isCopied { copiedUntil = now &+ Self.copyLapse }
  }

  /// Whether the known counts may be reported again; they count as reported then.
  func takeReport(at now: Int64) -> Bool {
    guard now &- reported >= limits.reportInterval else { return false }
    reported = now
    return true
  }

  /// Sends a reply with the members that `head` writes, and messages in as many replies as needed.
  func send(
    _ kind: Head, _ publications: [Counters.Publication] = [], to call: Call? = nil,
    _ head: (inout ObjectWriter) -> Void
  ) {
    let chosen = call.map { [ObjectIdentifier($0)] } ?? Array(links.keys)
    guard !chosen.isEmpty else { return }
    let first = portion(of: publications[...])
    let reply = EncodedObject { writer in
      head(&writer)
      writer.add(Counters.LinkFleetReply.Member.publications, first)
    }
    for id in chosen {
      guard let link = links[id] else { continue }
      // A station that has rejoined may lack the counts from before it left.
      if kind == .settings, !link.waiting.contains(where: { [.settings, .left].contains($0.head?.kind) }) {
        link.waiting = []
      }
      if link.waiting.isEmpty {
        link.add(publications[first.endIndex...])
        send(reply, to: id)
      } else {
        link.waiting.append(Portion(head: (kind, reply), publications: publications[first.endIndex...]))
        endIfSlow(id, link)
      }
    }
  }

  func send(_ publications: [Counters.Publication]) {
    guard !publications.isEmpty, !isEmpty else { return }
    let first = portion(of: publications[...])
    let reply = Self.reply(first)
    for (id, link) in links {
      guard link.waiting.isEmpty else {
        link.add(publications[...])
        endIfSlow(id, link)
        continue
      }
      link.add(publications[first.endIndex...])
      send(reply, to: id)
    }
  }

  private func send(_ reply: EncodedObject, to id: ObjectIdentifier) {
    guard let link = links[id] else { return }
    guard link.call.backlog <= limits.mostUnread else { return end(id) }
    link.call.replyContinuing(reply)
  }

  private func endIfSlow(_ id: ObjectIdentifier, _ link: Link) {
    if link.waiting.reduce(0, { $0 + $1.publications.count + 1 }) > Self.mostWaiting { end(id) }
  }

  private func end(_ id: ObjectIdentifier) {
    guard let call = links[id]?.call else { return }
    remove(id)
    call.fail(Counters.Refusal(.storageFailed, message: "The bridge reads too slowly; it must link again.").error)
  }

  /// Sends the next waiting messages, once the bridge has read the earlier ones.
  private func goOn(_ id: ObjectIdentifier) {
    guard let link = links[id], let portion = link.waiting.first, link.call.backlog < limits.longestReply else {
      return
    }
    let reply: EncodedObject
    if let head = portion.head {
      reply = head.reply
      link.waiting[0].head = nil
    } else {
      let next = self.portion(of: portion.publications)
      reply = Self.reply(next)
      link.waiting[0].publications = portion.publications[next.endIndex...]
    }
    if link.waiting[0].publications.isEmpty { link.waiting.removeFirst() }
    link.call.replyContinuing(reply)
  }

  private static func reply(_ publications: ArraySlice<Counters.Publication>) -> EncodedObject {
    EncodedObject { $0.add(Counters.LinkFleetReply.Member.publications, publications) }
  }

  /// The first messages, as many as fit into a reply.
  private func portion(of publications: ArraySlice<Counters.Publication>) -> ArraySlice<Counters.Publication> {
    var length = 0
    let end = publications.firstIndex { publication in
      // Escaped quotes double the length at most.
      length += 2 * publication.payload.utf8.count + publication.topic.utf8.count + 64
      return length > limits.longestReply
    }
    // A single message always fits.
    return publications[..<(end ?? publications.endIndex)]
  }

  func remember(_ registers: [WriterID: Register], of period: CounterPeriod) {
    // Bounds the memory. Forgotten registers count as unheard until a station reports their last entry.
    if published.count > 4 * ReplicaStore.maximumCounters { published.removeAll() }
    let now = Clock.boottime()
    for (writer, register) in registers where published[period]?[writer]?.last?.register != register {
      published[period, default: [:]][writer, default: []].append((register, now))
      if published[period]?[writer]?.count ?? 0 > Self.mostPublished {
        published[period]?[writer]?.removeFirst()
      }
    }
  }

  /// Forgets the published registers, because the station leaves and starts without any in the next fleet.
  func forgetPublished() { published = [:] }

  /// The number of this register's counts that are known to a station which has reported the entry `number`.
  func counts(of register: Register, by writer: WriterID, of period: CounterPeriod, upTo number: Int64) -> Int64 {
    if number >= register.number { return register.counts }
    return published[period]?[writer]?.last { $0.register.number <= number }?.register.counts ?? 0
  }

  /// The time at which the first entry after `number` was published, in nanoseconds of ``Clock/boottime()``; `nil`
  /// without such an entry.
  func time(after number: Int64, by writer: WriterID, of period: CounterPeriod) -> Int64? {
    published[period]?[writer]?.first { $0.register.number > number }?.time
  }

  /// The time of a period's first publication, in nanoseconds of ``Clock/boottime()``; `nil` without one.
  func firstTime(of period: CounterPeriod) -> Int64? {
    published[period]?.values.compactMap(\.first?.time).min()
  }
}
