public import Bridge
import Fleet
import Glibc
import JSON
public import Linux
public import MQTT
import Tallymark

/// Carries a fleet's messages between the core and a broker. Stores nothing: each connection begins with all messages
/// of the core.
public final class MQTTBridge {
  /// Options of the program.
  public struct Options: Sendable {
    /// The file of the password, read at each connection.
    public var passwordFile: String?
    public var encryption = MQTTEncryption()
    public var discovery = Discovery.device

    public init() {}
  }

  let loop: EventLoop
  let options: Options
  private(set) var core: CoreLink!
  private(set) var settings: FleetSettings?
  /// Whether the owner of this station allows commands from the broker.
  var isObeying: Bool { settings?.isObeying ?? false }
  private(set) var topics: FleetTopics?
  private(set) var address: BrokerURL?
  private(set) var client: MQTTClient?
  private(set) var isConnected = false
  private(set) var connectedAt: Int64 = 0
  /// Whether the broker holds nothing of this station any more except its counts.
  var hasWithdrawn = false
  /// The version of the present connection.
  private(set) var version = MQTTVersion.v5
  private var versions = VersionChoice()
  var refusals = Refusals()
  /// Publishes refused messages again, in case the right has been granted.
  private(set) var again: TimerSource?
  /// The time at which everything was last published again because the broker had lost it.
  var repeatedAt: Int64 = .min / 2
  private var retry: TimerSource?
  /// Whether ``retry`` is armed.
  private var isRetryPlanned = false
  private var backoff = Backoff(shortest: 200_000_000, longest: 5_000_000_000)
  var troubles = Problems()
  var logged = ProblemLog()
  /// The problems of stations' messages and names, and the last report of them to the core.
  var problems = StationProblems()
  var reportedProblems: StationProblems.Report?
  /// Logs the state once it has lasted.
  private(set) var problemTimer: TimerSource?
  /// Reports the state to the core when a problem of messages or names has lapsed.
  private(set) var lapsing: TimerSource?
  var outbox = Outbox()
  var inbox = Inbox()
  var speech = RetainedValues()
  /// Commands that have acted, by ID; `nil` until a command arrives after the core's start.
  var recentCommands: RecentCommands?
  var waitingCommands: [Command] = []
  var unresolvedCommands = UnresolvedCommands()
  /// The times of reports.
  var reports = ReportTiming()
  private(set) var reportTimer: TimerSource?
  /// Questions and answers about resets, and about the history.
  var (resetSync, historySync) = (ResetSync(), HistorySync())
  /// Sends questions and answers that are due.
  private(set) var talking: TimerSource?
  /// Whether ``talking`` is armed.
  var isTalkArmed = false
  /// The times at which totals began.
  var resets = ResetTimes()
  /// Limits of counts, and of goals and limits that are reached.
  var (quota, milestoneQuota) = (EventQuota(), EventQuota())
  /// Checks whether the broker delivers this station's messages.
  private(set) var echo: TimerSource?
  var echoAwaited = false
  /// Whether the broker has delivered anything since the last check.
  var hasHeard = false
  /// Whether the broker has delivered a retained message, and whether this station has asked for one.
  var (hasRetained, isRetainedAwaited) = (false, false)
  var path = PathDelay()
  /// Checks whether a message of this station to itself is late.
  private(set) var pathTimer: TimerSource?
  /// Publishes "online" again, with the time of the last publication.
  private(set) var greeting: TimerSource?
  var greetedAt: Int64 = .min / 2
  /// Ends the connection to the broker when the core has been absent for long.
  private var farewell: TimerSource?
  private var isCoreAway = false
  var speaking: TimerSource?
  /// The time of the next look at the values, and of the first change since the last look; `nil` for none.
  var planned: (time: Int64, since: Int64)?
  /// The time of the last look at the values.
  var spokenAt: Int64 = 0
  /// Settings of counters, as this station publishes them.
  var definitions: [String: JSONObject] = [:]
  /// Whether a counter was removed since the last look.
  var hasRemovals = false
  private let suffix: String

  /// The maximum length of a password file, in bytes.
  private static let passwordLength = 4_096
  private static let second: Int64 = 1_000_000_000
  /// The longest wait for an unreachable broker: attempts are cheap, but each connection makes all stations send
  /// everything.
  private static let longestAway: Int64 = 1_000_000_000
  /// The duration after which a connection is a success, so that the next wait is the shortest again.
  private static let lasting: Int64 = 5_000_000_000

  /// - Parameter paths: sockets of the core, tried in this order.
  public init(loop: EventLoop, paths: [String], _ options: Options) throws(SystemError) {
    self.loop = loop
    self.options = options
    // A client ID per process: two stations with the same card must not end each other's connections.
    suffix = String(try Secret().text.prefix(8))
    retry = try loop.timer { [unowned self] in connect() }
    echo = try loop.timer { [unowned self] in missEcho() }
    again = try loop.timer { [unowned self] in repeatRefused() }
    pathTimer = try loop.timer { [unowned self] in judgePath() }
    greeting = try loop.timer { [unowned self] in greet() }
    problemTimer = try loop.timer { [unowned self] in logLastingProblem() }
    lapsing = try loop.timer { [unowned self] in reportState() }
    farewell = try loop.timer { [unowned self] in leave() }
    speaking = try loop.timer { [unowned self] in speak() }
    talking = try loop.timer { [unowned self] in talk() }
    reportTimer = try loop.timer { [unowned self] in sendReport() }
    core = try CoreLink(loop: loop, paths: paths) { [unowned self] news in take(news) }
  }

  /// Publishes "offline" and closes the connection to the broker properly.
  public func stop() { leave() }

  // MARK: The core

  private func take(_ news: CoreLink.News) {
    switch news {
    case .lost(let sentence):
      setTrouble(.core, sentence)
      (recentCommands, waitingCommands, unresolvedCommands) = (nil, [], UnresolvedCommands())
      (resetSync, historySync) = (ResetSync(), HistorySync())
      reports.end()
      guard client != nil, !isCoreAway else { return }
      isCoreAway = true
      farewell?.arm(at: Clock.boottime() + 10 * Self.second)
    case .settings(let settings):
      farewell?.disarm()
      let isBack = isCoreAway
      isCoreAway = false
      if self.settings != settings { begin(settings) }
      _ = troubles.set(.core, nil)
      if settings == nil {
        _ = troubles.set(
          .settings, "The core is in no fleet. Join one: tally fleet join mqtt://HOST --fleet NAME --station NAME.")
      }
      // A core that was started again has no report.
      showState()
      readCommandsAgain()
      // Each connection links to the core again; the reply may come when the broker has ended that connection.
      if settings != nil, client == nil, !isRetryPlanned { connect() }
      if isBack { subscribeAgain() }
      if settings != nil, isConnected {
        // Other stations answer with complete reports.
        publishDescription()
        reports.connect(at: Clock.boottime())
        armReport()
      }
      learn()
    case .publications(let list):
      carry(list)
    case .reportable:
      guard isConnected else { return }
      reports.plan(at: Clock.boottime())
      armReport()
    case .event(let event):
      take(event)
    }
  }

  /// Ends the former connection and prepares a connection with other settings.
  private func begin(_ settings: FleetSettings?) {
    let isMoving = settings.map { $0.fleet != topics?.fleet || $0.station != topics?.station } ?? true
    if isConnected, isMoving { withdraw() }
    leave()
    if settings?.fleet != self.settings?.fleet { problems = StationProblems() }
    self.settings = settings
    (topics, address, versions) = (nil, nil, VersionChoice())
    (speech, resets, definitions) = (RetainedValues(), ResetTimes(), [:])
    troubles = Problems()
    guard let settings else { return }
    problems.become(settings.station, id: settings.id, at: Clock.boottime())
    topics = FleetTopics(fleet: settings.fleet, station: settings.station)
    guard topics != nil else {
      return setTrouble(
        .settings, "The core's fleet or station has a name that is no topic: a-z, 0-9 and - are allowed.")
    }
    do throws(BrokerURL.Fault) {
      address = try BrokerURL(settings.broker)
    } catch {
      setTrouble(.settings, error.description)
    }
  }

  // MARK: The broker

  private func connect() {
    isRetryPlanned = false
    guard client == nil, let settings, let topics, let address else { return }
    let id = "t\(settings.id.prefix(8))-\(suffix)"
    var wanted = MQTTSettings(host: address.host, port: address.port, clientID: id)
    version = versions.version
    wanted.version = version
    if versions.isDoubtful { wanted.patience = 3 }
    wanted.will = MQTTMessage(topics.online, "offline", quality: 1, isRetained: true)
    do throws(SystemError) {
      // The file must exist until the client has read it.
      let authorities = try settings.authorityFile()
      defer { withExtendedLifetime(authorities) {} }
      if address.isEncrypted {
        wanted.tls = options.encryption
        wanted.tls?.authorities = authorities.map { "/proc/self/fd/\($0.descriptor.number)" }
      }
      wanted.password = try password() ?? address.password
      wanted.user = address.user ?? (wanted.password == nil ? nil : topics.station)
      client = try MQTTClient(loop: loop, wanted) { [unowned self] report in take(report) }
    } catch {
      setTrouble(.broker, "The connection to the broker cannot begin: \(error).")
      connectLater(10 * Self.second)
    }
  }

  /// Connects after `wait` nanoseconds.
  private func connectLater(_ wait: Int64) {
    isRetryPlanned = true
    retry?.arm(at: Clock.boottime() + wait)
  }

  private func password() throws(SystemError) -> String? {
    guard let path = options.passwordFile else { return nil }
    let bytes = try FileContent.read(path, upTo: Self.passwordLength)
    return String(decoding: bytes.prefix { $0 != 0x0a && $0 != 0x0d && $0 != 0 }, as: UTF8.self)
  }

  private func take(_ report: Report) {
    switch report {
    case .connected: begin()
    case .message(let message): take(message)
    case .acknowledged(let number, let code):
      if let topic = outbox.acknowledge(number) { acknowledge(topic, code) }
      send()
    case .subscribed(let number, let isGranted): subscribed(number, isGranted: isGranted)
    case .ended(let failure): end(failure)
    }
  }

  private func begin() {
    guard let topics else { return }
    isConnected = true
    versions.connected(by: version)
    connectedAt = Clock.boottime()
    outbox = Outbox()
    inbox = Inbox()
    (resetSync, historySync) = (ResetSync(), HistorySync())
    speech = RetainedValues(own: topics.station)
    planned = nil
    (topics.filters + options.discovery.filters(topics)).forEach(subscribe)
    if isObeying { subscribe(topics.commandFilter) }
    outbox.put(Publication(topics.online, "online", isRetained: true))
    introduce()
    send()
    (echoAwaited, hasHeard) = (true, false)
    (hasRetained, isRetainedAwaited, path) = (false, false, PathDelay())
    echo?.arm(at: Clock.boottime() + 5 * Self.second)
    troubles.endConnection()
    showState()
    core.link()
  }

  private func end(_ failure: MQTTFailure) {
    guard let address else { return }
    let wasConnected = isConnected
    if wasConnected, Clock.boottime() - connectedAt > Self.lasting { backoff.reset() }
    forget()
    if wasConnected { troubles.endConnection() }
    if !versions.ended(failure, by: version, wasConnected: wasConnected) {
      // After an accepted connection, a reset is not a sign of missing TLS.
      setTrouble(.broker, (wasConnected && failure == .system(ECONNRESET) ? .lost(nil) : failure).sentence(address))
    }
    var wait = failure.isLasting ? 15 * Self.second : backoff.next()
    if !wasConnected, !failure.isLasting { wait = min(wait, Self.longestAway) }
    // The waits differ, so that fifty stations do not all connect at the moment in which a broker returns.
    connectLater(wait / 4 * 3 + .random(in: 0...wait / 2))
  }

  private func forget() {
    client = nil
    isConnected = false
    echo?.disarm()
    pathTimer?.disarm()
    again?.disarm()
    greeting?.disarm()
    refusals = Refusals()
    speaking?.disarm()
    retry?.disarm()
    isRetryPlanned = false
    (outbox, inbox) = (Outbox(), Inbox())
    reports.end()
  }

  /// Publishes "offline", unless the station has left the fleet, and closes the connection.
  private func leave() {
    if isConnected, !hasWithdrawn, let topics, let client {
      _ = client.publish(MQTTMessage(topics.online, "offline", quality: 1, isRetained: true))
    }
    client?.disconnect()
    hasWithdrawn = false
    forget()
  }
}
