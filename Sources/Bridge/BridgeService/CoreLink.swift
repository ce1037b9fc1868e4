import Bridge
public import CoreAPI
import Glibc
public import Linux
import Tallymark
public import Varlink

/// The settings of the fleet, from the core.
public struct FleetSettings: Equatable, Sendable {
  public let fleet: String
  public let station: String
  /// The ID of the station: 32 hexadecimal digits.
  public let id: String
  /// The URL of the broker, with a password if the person set one.
  public let broker: String
  /// The certificates (PEM) of the authorities that may certify the broker; `nil` for those of the system.
  public let authorities: String?
  /// Whether commands from the broker are obeyed.
  public let isObeying: Bool

  /// - Parameter reply: the reply to `LinkFleet`.
  init?(_ reply: Counters.LinkFleetReply) {
    guard let fleet = reply.fleet, let station = reply.station, let broker = reply.broker else { return nil }
    (self.fleet, self.station, self.broker) = (fleet, station, broker)
    (id, authorities, isObeying) = (reply.id ?? "", reply.authorities, reply.isObeying)
  }

  /// ``authorities`` as a file in memory; `nil` for those of the system.
  func authorityFile() throws(SystemError) -> SharedMemory? {
    guard let authorities, !authorities.isEmpty else { return nil }
    let file = try SharedMemory(size: authorities.utf8.count, name: "authorities")
    unsafe file.bytes.copyBytes(from: authorities.utf8)
    return file
  }
}

/// The connections to the core: one streams messages to publish, one streams events, and one is for calls.
public final class CoreLink {
  /// A message to the bridge.
  public enum News {
    /// The fleet's settings; `nil` while the core is in no fleet.
    case settings(FleetSettings?)
    /// Topics are relative to the fleet.
    case publications([Counters.Publication])
    /// The core has something to report.
    case reportable
    /// An event of a counter.
    case event(Counters.Event)
    case lost(String)
  }

  private let loop: EventLoop
  private let paths: [String]
  private let news: (News) -> Void
  private var stream: AsyncClient?
  /// The former stream, until the present one has begun: a core without any stream considers the bridge gone, and
  /// doubts which stations are online.
  private var former: AsyncClient?
  private var calls: AsyncClient?
  private var events: AsyncClient?
  private var retry: TimerSource?
  private var backoff = Backoff()
  private var isLearning = false
  private var hasReplied = false

  /// The wait before a refused call is retried, in nanoseconds.
  private static let refusalWait: Int64 = 10_000_000_000

  /// Connects in the next turn of `loop`.
  ///
  /// - Parameter paths: sockets of the core, tried in this order.
  public init(loop: EventLoop, paths: [String], news: @escaping (News) -> Void) throws(SystemError) {
    for path in paths { try UnixSocket.validate(path) }
    self.loop = loop
    self.paths = paths
    self.news = news
    retry = try loop.timer { [unowned self] in link() }
    retry?.arm(at: 0)
  }

  /// Begins the stream again: the core sends everything once more, for a new connection to the broker.
  public func link() {
    closeFormer()
    former = stream
    former?.onClosed = nil
    stream = nil
    hasReplied = false
    retry?.disarm()
    do throws(NoCore) {
      let (client, path) = try CoreSocket.connect(paths, by: connect)
      begin(client, path)
    } catch {
      lost("\(error.reason).\(error.silent == nil ? "" : " If it does not recover, restart tallyd.")")
    }
  }

  private func connect(_ path: String) throws(SystemError) -> AsyncClient { try AsyncClient(loop: loop, path: path) }

  private func begin(_ client: AsyncClient, _ path: String) {
    stream = client
    client.onClosed = { [unowned self] error in lost(error) }
    client.stream(.linkFleet) { [unowned self, unowned client] result in
      let isPresent = client === stream
      if isPresent { closeFormer() }
      switch result {
      case .success(let reply): take(reply)
      case .failure(let error): if isPresent { refused(error) }
      }
    }
    client.flushNow()
    guard calls?.isOpen != true else { return }
    do throws(SystemError) {
      (calls, events) = (try connect(path), try connect(path))
    } catch {
      return lost("The core at \(path) takes no further connection: \(error.description).")
    }
    isLearning = false
    // A core outside of a fleet sends nothing on the stream.
    fleet { [unowned self] result in
      if case .success(let reply) = result, reply.fleet == nil, !hasReplied { news(.settings(nil)) }
    }
    // Without the right to read there are no events.
    events?.stream(.watch()) { [unowned self] result in
      if case .success(let reply) = result, let event = reply.event { news(.event(event)) }
    }
    events?.flushNow()
    // This connection may be the first to report the loss of a core; another core may be at the socket now.
    calls?.onClosed = { [unowned self] error in
      if stream != nil { lost(error) }
    }
  }

  private func take(_ reply: Counters.LinkFleetReply) {
    backoff.reset()
    hasReplied = true
    if reply.isReportable {
      news(.reportable)
    } else if reply.isLeft {
      news(.settings(nil))
    } else if let settings = FleetSettings(reply) {
      news(.settings(settings))
    } else if reply.publications.isEmpty {
      news(.settings(nil))
    }
    if !reply.publications.isEmpty { news(.publications(reply.publications)) }
  }

  private func refused(_ error: VarlinkError) {
    let sentence: String
    switch error.name {
    case Counters.ErrorName.permissionDenied.qualifiedName:
      sentence =
        "The core does not let this user share counters. Add it to share in /etc/tallymark/core.toml, then: "
        + "systemctl reload tallyd."
    case "org.varlink.service.MethodNotFound": sentence = "The core knows nothing of fleets. Upgrade tallyd."
    default: return lost("The core ended the link: \(error)")
    }
    close()
    news(.lost(sentence))
    retry?.arm(at: Clock.boottime() + Self.refusalWait)
  }

  private func lost(_ error: SystemError?) {
    lost(error.map { "There is no core: \($0)." } ?? "The core closed the connection.")
  }

  private func lost(_ sentence: String) {
    close()
    news(.lost(sentence))
    retry?.arm(at: Clock.boottime() + backoff.next())
  }

  private func closeFormer() {
    former?.close()
    former = nil
  }

  private func close() {
    closeFormer()
    stream?.close()
    calls?.close()
    events?.close()
    (stream, calls, events, isLearning) = (nil, nil, nil, false)
  }

  // MARK: Calls

  /// Whether the core accepts messages now: one batch at a time.
  public var canLearn: Bool { calls?.isOpen == true && !isLearning }

  /// Passes messages to the core; `done` receives the reply.
  public func learn(
    _ messages: [Counters.StationMessage], done: @escaping (Result<Counters.LearnFleetReply, VarlinkError>) -> Void
  ) {
    guard canLearn else { return }
    isLearning = true
    calls?.send(.learnFleet(messages: messages)) { [unowned self] result in
      isLearning = false
      done(result)
    }
    calls?.flushNow()
  }

  /// Asks for rows or a report; `reply` is not called if the core is lost.
  public func read<Reply>(
    _ request: Counters.Request<Reply>, reply: @escaping (Result<Reply, VarlinkError>) -> Void
  ) {
    calls?.send(request, reply: reply)
    calls?.flushNow()
  }

  /// Asks for the counters, without parts of unbounded length; `reply` is not called if the core is lost.
  public func fleet(_ reply: @escaping (Result<Counters.FleetReply, VarlinkError>) -> Void) {
    calls?.send(.fleet(brief: true), reply: reply)
  }

  /// Whether calls reach the core.
  public var isOpen: Bool { calls?.isOpen == true }

  /// The number of calls without a reply.
  public var unansweredCount: Int { calls?.unansweredCount ?? 0 }

  /// Asks for the events of commands, the newest first.
  public func commands(before: Int64?, reply: @escaping (Result<Counters.HistoryReply, VarlinkError>) -> Void) {
    calls?.send(.history(before: before, limit: 1_000, .init(producer: Command.producer)), reply: reply)
  }

  /// Reports the state of the connection to the broker to the core, and the problems.
  ///
  /// - Parameter problems: those of stations' messages and names.
  public func report(isConnected: Bool, trouble: String?, problems: [String], isCopied: Bool) {
    calls?.send(
      .reportFleet(connected: isConnected, trouble: trouble, problems: problems, copied: isCopied)
    ) { _ in }
  }

  /// Makes a change of a counter.
  public func perform(
    _ request: Counters.Request<Counters.EventReply>,
    reply: @escaping (Result<Counters.EventReply, VarlinkError>) -> Void
  ) { calls?.send(request, reply: reply) }
}
