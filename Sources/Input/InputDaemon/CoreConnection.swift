import CoreAPI
import Glibc
package import Linux
import Tallymark
import Varlink

/// The connection to the core: sends the requests of the ``DeliveryQueue``, and reconnects whenever the core returns.
package final class CoreConnection {
  private let loop: EventLoop
  /// The paths of sockets to try; after the first connection, only the path of that core, because each core has its own
  /// deliveries.
  private var paths: [String]
  private let producer: String
  private let onFenced: (String) -> Void
  /// Called for each reply to a delivery. The function returns the core's outcome; `nil` if the outcome is unknown.
  package var onAnswer: ((Delivery, () -> DeliveryOutcome?) -> Void)?
  /// Called when the last delivery is acknowledged.
  package var onDrained: (() -> Void)?
  private var queue: DeliveryQueue
  private let spool: Spool?
  private var client: AsyncClient?
  private var retry: TimerSource?
  private var rest: TimerSource?
  /// Runs while a reply is awaited.
  private var silence: TimerSource?
  private var isSilenceTimed = false
  /// Whether the core has replied since `silence` was armed.
  private var hasAnswered = false
  /// The time after which a missing reply is logged, in nanoseconds.
  private let patience: Int64
  private var folders: [FolderWatch] = []
  private var backoff = Backoff()
  /// Logged lines about the core, since the core last worked.
  package private(set) var complaints: Set<String> = []

  /// Connects in the next turn of `loop`.
  ///
  /// - Parameters:
  ///   - paths: sockets of the core, tried in this order.
  ///   - producer: the name under which deliveries are numbered; no two processes of a user may use the same name.
  ///   - spool: keeps deliveries until they are acknowledged, including those of an earlier process.
  ///   - patience: the time after which a missing reply is logged, in nanoseconds.
  ///   - onFenced: called with a sentence when another process uses that name; nothing is delivered after that.
  /// - Throws: `ENAMETOOLONG` if a path is too long for a socket.
  package init(
    loop: EventLoop, paths: [String], producer: String, spool: Spool? = nil, patience: Int64 = 10_000_000_000,
    onFenced: @escaping (String) -> Void
  ) throws(SystemError) {
    for path in paths { try UnixSocket.validate(path) }
    self.loop = loop
    self.paths = paths
    self.producer = producer
    self.onFenced = onFenced
    self.spool = spool
    self.patience = patience
    queue = DeliveryQueue(restoring: try spool?.load() ?? .init())
    retry = try loop.timer { [unowned self] in connect() }
    rest = try loop.timer { [unowned self] in
      queue.rested()
      send()
    }
    silence = try loop.timer { [unowned self] in checkSilence() }
    retry?.arm(at: 0)
  }

  /// Number of gestures that the core has not acknowledged.
  package var unacknowledged: Int { queue.count }

  /// The time at which this process or an earlier one accepted the gesture, in microseconds since 1970; `nil` for a new
  /// gesture.
  package func time(ofSeen identity: String) -> Int64? { queue.seen.time(of: identity) }

  /// Forgets the gestures of the device with that sysfs path, which can no longer be recognised again.
  package func forgetSeen(on node: String) { queue.forgetSeen(on: node) }

  /// Adds a delivery, and sends it at once if there is a connection.
  package func deliver(_ delivery: Delivery) {
    guard queue.add(delivery) else {
      complain(
        "\(DeliveryQueue.capacity) gestures wait for the core already; further ones are lost until it takes them.")
      return
    }
    keep { spool throws(SystemError) in try spool.append(newestOf: queue) }
    send()
    client?.flushNow()
  }

  /// Whether undelivered gestures outlive the process.
  var isKept: Bool { spool != nil }

  private func keep(_ body: (Spool) throws(SystemError) -> Void) {
    guard let spool else { return }
    do {
      try body(spool)
    } catch {
      complain("Undelivered gestures will be lost if this program ends: \(error).")
    }
  }

  private func connect() {
    do throws(NoCore) {
      let (client, path) = try CoreSocket.connect(paths) { path throws(SystemError) in
        try AsyncClient(loop: loop, path: path)
      }
      client.onClosed = { [unowned self] error in
        lost(Self.absent(because: error?.description ?? "the core closed the connection"))
      }
      self.client = client
      paths = [path]
      folders = []
      queue.connected()
      send()
    } catch {
      lost(error.silent.map { Self.silent(at: $0, "takes no connection") } ?? "\(error.reason). \(Self.waiting)")
    }
  }

  private static func absent(because reason: String) -> String {
    "There is no core: \(reason). \(waiting)"
  }

  private static let waiting = "Gestures wait here until there is one."

  /// The sentence about a core that does not reply.
  private static func silent(at path: String, _ what: String) -> String {
    "The core at \(path) \(what). Gestures are kept until it does; if it does not recover, restart tallyd."
  }

  private func lost(_ sentence: String) {
    client = nil
    queue.disconnected()
    complain(sentence)
    watchFolders()
    retry?.arm(at: Clock.boottime() + backoff.next())
  }

  /// Connects as soon as the core creates its socket, if the folder exists.
  private func watchFolders() {
    guard folders.isEmpty else { return }
    folders = paths.compactMap { watchFolder(of: $0) }
  }

  private func watchFolder(of path: String) -> FolderWatch? {
    guard let slash = path.lastIndex(of: "/") else { return nil }
    let name = String(path[path.index(after: slash)...])
    let parent = slash == path.startIndex ? "/" : String(path[..<slash])
    return try? FolderWatch(loop: loop, path: parent, for: .arrivals) { [unowned self] changes in
      if changes.contains(.folderGone) { folders = [] }
      guard changes.contains(.entry(name)) else { return }
      // The socket file appears a moment before the core listens, so the first attempt may fail.
      backoff.reset()
      retry?.arm(at: Clock.boottime() + 10_000_000)
    }
  }

  private func send() {
    guard let client else { return }
    while let request = queue.next() {
      request.send(to: client, as: producer) { [unowned self] answer, result in
        handle(answer)
        if let result { onAnswer?(result.delivery, result.outcome) }
      }
    }
    if !isSilenceTimed { timeSilence() }
  }

  /// Watches for a core that accepts requests without a reply. One timer covers many requests, because arming it for
  /// each request would cost a system call per press.
  private func timeSilence() {
    isSilenceTimed = queue.awaitsAnswer
    hasAnswered = false
    if isSilenceTimed { silence?.arm(at: Clock.boottime() + patience) }
  }

  private func checkSilence() {
    if queue.awaitsAnswer, !hasAnswered {
      complain(Self.silent(at: paths.first ?? "", "is connected and does not reply"))
    }
    timeSilence()
  }

  private func handle(_ answer: DeliveryQueue.Answer) {
    hasAnswered = true
    if answer == .delivered || queue.isEmpty { worked() }
    let (count, revision) = (queue.count, queue.revision)
    let notice = queue.answered(answer)
    if queue.revision != revision {
      keep { spool throws(SystemError) in try spool.save(queue.state) }
    } else if queue.count < count {
      spool?.acknowledge()
    }
    switch notice {
    case .dropped(let delivery, let reason):
      let change = delivery.changes.first
      ServiceProcess.log(
        .warning,
        "The core refused “\(change?.gesture ?? "a gesture")” of \(change?.device ?? "a device"): \(reason)")
    case .rest(let reason):
      complain("The core cannot record now: \(reason) Gestures wait here until it can.")
      rest?.arm(at: Clock.boottime() + backoff.next())
    case .abandoned(let count):
      ServiceProcess.log(
        .error,
        "Another gesture daemon has delivered as “\(producer)” meanwhile. It is unknown whether the last gestures of "
          + "this one, \(count) in number, were counted; they are not delivered again.")
    case .fenced(let reason): return onFenced(reason)
    case nil: break
    }
    send()
    if queue.isEmpty { onDrained?() }
  }

  private func worked() {
    backoff.reset()
    guard !complaints.isEmpty else { return }
    complaints = []
    ServiceProcess.log(.notice, "The core at \(paths.first ?? "") takes deliveries.")
  }

  /// Logs the reason why gestures are not recorded; each reason once until the core works again.
  private func complain(_ sentence: String) {
    guard complaints.insert(sentence).inserted else { return }
    ServiceProcess.log(.warning, sentence)
  }
}
