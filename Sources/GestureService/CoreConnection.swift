package import Platform
import Varlink

/// The way to the core: sends what the ``DeliveryQueue`` has, and comes back whenever the core does.
package final class CoreConnection {
  private let loop: EventLoop
  /// Where the core may be; once it was found, where it is. What was sent to one core is no other one's business.
  private var paths: [String]
  private let producer: String
  private let onFenced: (String) -> Void
  /// Runs for each delivery that the core has recorded, or will never record.
  package var onOutcome: ((Delivery, DeliveryOutcome) -> Void)?
  /// Runs each time the last delivery is acknowledged.
  package var onDrained: (() -> Void)?
  private var queue: DeliveryQueue
  private let spool: Spool?
  /// The ``DeliveryQueue/revision`` that the spool holds.
  private var spooled: Int?
  private var client: LoopClient?
  private var retry: TimerSource?
  private var rest: TimerSource?
  private var folders: [FolderWatch] = []
  private var backoff = Backoff()
  /// What was said about the core since it last worked.
  private var complaints: Set<String> = []

  /// Connects in the next turn of `loop`.
  ///
  /// - Parameters:
  ///   - paths: where the core's socket may be, in the order in which they are tried.
  ///   - producer: the name under which deliveries are numbered; no two processes of a user may use the same one.
  ///   - spool: where to keep what is not acknowledged, and to take up what an earlier process left.
  ///   - onFenced: another process uses that name; nothing is delivered any more. Gets a sentence.
  /// - Throws: `ENAMETOOLONG` where no socket can be at one of them.
  package init(
    loop: EventLoop, paths: [String], producer: String, spool: Spool? = nil, onFenced: @escaping (String) -> Void
  ) throws(SystemError) {
    for path in paths { try UnixSocket.validate(path) }
    self.loop = loop
    self.paths = paths
    self.producer = producer
    self.onFenced = onFenced
    self.spool = spool
    queue = DeliveryQueue(restoring: try spool?.load() ?? .init())
    retry = try loop.timer { [unowned self] in connect() }
    rest = try loop.timer { [unowned self] in
      queue.rested()
      send()
    }
    retry?.arm(at: 0)
  }

  /// How many gestures the core has not acknowledged.
  package var unacknowledged: Int { queue.count }

  /// The time of the delivery that came from the same gesture, in microseconds since 1970, where this process or one
  /// before it has taken that already.
  package func time(ofTaken identity: String) -> Int64? { queue.taken.time(of: identity) }

  /// Nothing that was done so far on the device with that sysfs path will be recognised again.
  package func forgetTaken(on node: String) { queue.forgetTaken(on: node) }

  /// Takes one more delivery; it is sent at once where the core is there.
  package func deliver(_ delivery: Delivery) {
    guard queue.add(delivery) else {
      complain(
        "\(DeliveryQueue.capacity) gestures wait for the core already; further ones are lost until it takes them.")
      return
    }
    keep { spool throws(SystemError) in try spool.append(delivery, to: queue) }
    send()
  }

  private func keep(_ body: (Spool) throws(SystemError) -> Void) {
    guard let spool else { return }
    do {
      try body(spool)
    } catch {
      complain("What is not delivered yet would not outlive this process: \(error).")
    }
  }

  /// Writes down how the queue stands before anything is sent that an earlier note would contradict.
  private func noteNumbers() {
    guard spooled != queue.revision, let state = queue.state else { return }
    spooled = queue.revision
    keep { spool throws(SystemError) in try spool.save(state) }
  }

  private func connect() {
    var faults: [String] = []
    for path in paths {
      do throws(SystemError) {
        let client = try LoopClient(loop: loop, path: path)
        client.onClosed = { [unowned self] error in lost(error?.description ?? "the core closed the connection") }
        self.client = client
      } catch {
        faults.append(error.description)
        continue
      }
      paths = [path]
      folders = []
      queue.connected()
      return send()
    }
    lost(faults.joined(separator: "; "))
  }

  private func lost(_ reason: String) {
    client = nil
    queue.disconnected()
    complain("There is no core: \(reason). What is counted waits here until there is one.")
    watchFolders()
    retry?.arm(at: Clock.boottime() + backoff.next())
  }

  /// A core that comes is met at once, where its folder is there already.
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
      // The file is there a moment before the core listens.
      backoff.reset()
      retry?.arm(at: Clock.boottime() + 10_000_000)
    }
  }

  private func send() {
    guard let client else { return }
    noteNumbers()
    while let request = queue.next() {
      client.send(request.method, request.parameters(producer: producer)) { [unowned self] result in
        handle(request.answer(result))
        if let (delivery, outcome) = request.outcome(result) { onOutcome?(delivery, outcome) }
      }
    }
  }

  private func handle(_ answer: DeliveryQueue.Answer) {
    if answer == .delivered || queue.isEmpty { worked() }
    switch queue.answered(answer) {
    case .dropped(let delivery, let reason):
      let change = delivery.changes.first
      ServiceProcess.log(
        .warning, "The core refused a \(change?.gesture ?? "gesture") of \(change?.device ?? "a device"): \(reason)")
    case .rest(let reason):
      complain("The core cannot record now: \(reason) What is counted waits here.")
      rest?.arm(at: Clock.boottime() + backoff.next())
    case .abandoned(let count):
      ServiceProcess.log(
        .error,
        "Another gesture daemon has delivered as “\(producer)” meanwhile. Whether the last gestures of this one were "
          + "counted, \(count) in number, cannot be known; they are not delivered again.")
    case .fenced(let reason):
      noteNumbers()
      return onFenced(reason)
    case nil: break
    }
    send()
    guard queue.isEmpty else { return }
    if let state = queue.state { keep { spool throws(SystemError) in try spool.save(state) } }
    onDrained?()
  }

  private func worked() {
    backoff.reset()
    guard !complaints.isEmpty else { return }
    complaints = []
    ServiceProcess.log(.notice, "The core at \(paths.first ?? "") takes deliveries.")
  }

  /// Says what keeps gestures from being recorded, each thing once until it works again.
  private func complain(_ sentence: String) {
    guard complaints.insert(sentence).inserted else { return }
    ServiceProcess.log(.warning, sentence)
  }
}
