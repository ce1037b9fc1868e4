public import Bridge
public import JSON
public import Linux
import Tallymark
public import Varlink

/// The settings of the fleet, from the core.
public struct FleetSettings: Equatable, Sendable {
  public let fleet: String
  public let station: String
  /// 32 hexadecimal digits.
  public let id: String
  /// A URL, with a password if the person gave one.
  public let broker: String

  /// - Parameter reply: of `LinkFleet`.
  init?(_ reply: JSONObject) {
    guard let fleet = reply["fleet"]?.string, let station = reply["station"]?.string,
      let broker = reply["broker"]?.string
    else { return nil }
    (self.fleet, self.station, self.broker) = (fleet, station, broker)
    id = reply["id"]?.string ?? ""
  }
}

/// The connections to the core: one streams what to publish, one events, and one takes calls.
public final class CoreLink {
  /// A message to the bridge.
  public enum News {
    /// The fleet's settings; `nil` while the core is in none.
    case settings(FleetSettings?)
    /// Topics are relative to the fleet.
    case publications([JSONObject])
    /// An event of a counter.
    case event(JSONObject)
    case lost(String)
  }

  private let loop: EventLoop
  private let paths: [String]
  private let news: (News) -> Void
  private var stream: AsyncClient?
  /// The stream before, until the present one has begun: a core without any takes the bridge for gone, and doubts which
  /// stations are online.
  private var former: AsyncClient?
  private var calls: AsyncClient?
  private var events: AsyncClient?
  private var retry: TimerSource?
  private var backoff = Backoff()
  private var isLearning = false
  private var hasReplied = false

  private static let interface = "org.tallymark.Counters"
  /// The wait before a call that the core refused is tried again, in nanoseconds.
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

  /// Begins the stream again: the core says everything once more, for a new connection to the broker.
  public func link() {
    closeFormer()
    former = stream
    former?.onClosed = nil
    stream = nil
    hasReplied = false
    retry?.disarm()
    var faults: [String] = []
    for path in paths {
      do throws(SystemError) {
        return begin(try AsyncClient(loop: loop, path: path), path)
      } catch {
        faults.append(error.description)
      }
    }
    lost("There is no core: \(faults.joined(separator: "; ")).")
  }

  private func begin(_ client: AsyncClient, _ path: String) {
    stream = client
    client.onClosed = { [unowned self] error in lost(error) }
    client.stream("\(Self.interface).LinkFleet") { [unowned self, unowned client] result in
      let isPresent = client === stream
      if isPresent { closeFormer() }
      switch result {
      case .success(let reply): take(reply)
      case .failure(let error): if isPresent { refused(error) }
      }
    }
    client.flushNow()
    guard calls?.isOpen != true else { return }
    calls = try? AsyncClient(loop: loop, path: path)
    isLearning = false
    // A core in no fleet says nothing on the stream.
    fleet { [unowned self] result in
      if case .success(let reply) = result, reply["fleet"] == nil, !hasReplied { news(.settings(nil)) }
    }
    events = try? AsyncClient(loop: loop, path: path)
    // Without the right to read there are no events.
    events?.stream("\(Self.interface).Watch") { [unowned self] result in
      if case .success(let reply) = result, let event = reply["event"]?.object { news(.event(event)) }
    }
    events?.flushNow()
    // It may be the first to tell of a core that is gone; the one at the socket now may be another.
    calls?.onClosed = { [unowned self] error in
      if stream != nil { lost(error) }
    }
  }

  private func take(_ reply: JSONObject) {
    backoff.reset()
    hasReplied = true
    if reply["left"]?.bool == true {
      news(.settings(nil))
    } else if let settings = FleetSettings(reply) {
      news(.settings(settings))
    } else if reply["publications"] == nil {
      news(.settings(nil))
    }
    let publications = reply["publications"]?.array?.compactMap(\.object) ?? []
    if !publications.isEmpty { news(.publications(publications)) }
  }

  private func refused(_ error: VarlinkError) {
    let sentence: String
    switch error.name {
    case "\(Self.interface).PermissionDenied":
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

  /// Whether the core takes messages now: one batch at a time.
  public var canLearn: Bool { calls?.isOpen == true && !isLearning }

  /// Gives messages to the core; `done` receives its reply.
  public func learn(_ messages: [Received], done: @escaping (JSONObject) -> Void) {
    guard canLearn else { return }
    isLearning = true
    let list = messages.map { message -> JSON in
      ["topic": .string(message.topic), "retained": .bool(message.isRetained), "payload": .string(message.payload)]
    }
    calls?.send("\(Self.interface).LearnFleet", ["messages": .array(list)]) { [unowned self] result in
      isLearning = false
      switch result {
      case .success(let reply): done(reply)
      case .failure(let error): done(["problems": ["The core did not take messages: \(error)."]])
      }
    }
    calls?.flushNow()
  }

  /// Asks for the counters, without what other stations could make long; `reply` is not called if the core is gone meanwhile.
  public func fleet(_ reply: @escaping (Result<JSONObject, VarlinkError>) -> Void) {
    calls?.send("\(Self.interface).Fleet", ["brief": true], reply: reply)
  }

  /// Whether calls reach the core.
  public var isOpen: Bool { calls?.isOpen == true }

  /// The number of calls without a reply.
  public var unansweredCount: Int { calls?.unansweredCount ?? 0 }

  /// Asks for the events of commands, the newest first.
  public func commands(before: Int64?, reply: @escaping (Result<JSONObject, VarlinkError>) -> Void) {
    var parameters: JSONObject = ["producer": .string(Command.producer), "limit": 1_000]
    parameters["before"] = before.map(JSON.int)
    calls?.send("\(Self.interface).History", parameters, reply: reply)
  }

  /// Tells the core how the connection to the broker stands.
  public func report(isConnected: Bool, trouble: String?) {
    var parameters: JSONObject = ["connected": .bool(isConnected)]
    parameters["trouble"] = trouble.map(JSON.string)
    calls?.send("\(Self.interface).ReportFleet", parameters) { _ in }
  }

  /// Makes a change of a counter.
  public func perform(
    _ method: String, _ parameters: JSONObject, reply: @escaping (Result<JSONObject, VarlinkError>) -> Void
  ) { calls?.send("\(Self.interface).\(method)", parameters, reply: reply) }
}
